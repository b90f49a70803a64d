import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { ContentChanges, ContentChangesSweeper } from './content-changes';

/** Tells the responses in memory which content has changed. */
@Module({ imports: [ApiModule], providers: [ContentChanges, ContentChangesSweeper] })
export class ContentChangesModule {}
