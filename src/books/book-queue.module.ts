import { Module } from '@nestjs/common';
import { BookQueue } from './book-queue';

/** How held texts about books are released; also for the command line. */
@Module({ providers: [BookQueue] })
export class BookQueueModule {}
