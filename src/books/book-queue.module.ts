import { Module } from '@nestjs/common';
import { HeldBooks } from './book-queue';

/** How held texts about books are released; also for the command line. */
@Module({ providers: [HeldBooks] })
export class HeldBooksModule {}
