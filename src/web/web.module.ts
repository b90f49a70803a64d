import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { DesignController } from './design/design.controller';
import { LanguageController } from './language.controller';
import { StyleController } from './style.controller';

/** Services that all pages share. */
@Module({
  imports: [ApiModule],
  controllers: [LanguageController, StyleController, DesignController],
})
export class WebModule {}
