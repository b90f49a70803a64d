import { Module } from '@nestjs/common';
import { HeldBooks } from './held-books';

/** How held texts about books are released; also for the command line. */
@Module({ providers: [HeldBooks] })
export class HeldBooksModule {}
