import { Module } from '@nestjs/common';
import { StoredSearchesTask } from './stored-search-pruning';
import { StoredSearches } from './stored-searches';

/** Stored searches of books and films. */
@Module({ providers: [StoredSearches, StoredSearchesTask], exports: [StoredSearches] })
export class StoredSearchesModule {}
