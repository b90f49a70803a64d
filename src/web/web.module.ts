import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { LanguageController } from './language.controller';

/** Services that all pages share. */
@Module({ imports: [ApiModule], controllers: [LanguageController] })
export class WebModule {}
