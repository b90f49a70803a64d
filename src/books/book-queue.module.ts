import { Module } from '@nestjs/common';
import { BookQueue } from './book-queue';

/** Releases texts about books from the moderation queue; also for the command line. */
@Module({ providers: [BookQueue] })
export class BookQueueModule {}
