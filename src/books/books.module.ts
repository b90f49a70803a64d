import { Module } from '@nestjs/common';
import { MergedIdsModule } from '../api/routing/merged-ids.module';
import { StoredSearchesModule } from '../text/stored-searches.module';
import { UsersModule } from '../users/users.module';
import { AnnotationsController } from './annotations.controller';
import { AnnotationsRepository } from './annotations.repository';
import { AnnotationsService } from './annotations.service';
import { BookPagesRepository } from './book-pages.repository';
import { BooksController } from './books.controller';
import { BooksRepository } from './books.repository';
import { BooksService } from './books.service';
import { CollectionsController } from './collections.controller';
import { CollectionsRepository } from './collections.repository';
import { CollectionsService } from './collections.service';
import { BookQueueModule } from './book-queue.module';
import { ReviewsController } from './reviews.controller';
import { ReviewsRepository } from './reviews.repository';
import { ReviewsService } from './reviews.service';
import { SearchRepository } from './search.repository';
import { SearchService } from './search.service';
import { TagCountsTask } from './tag-counts';
import { TagsController } from './tags.controller';
import { TagsRepository } from './tags.repository';
import { TagsService } from './tags.service';

/** Books: information, search, tags, collections, annotations (specification section 4.1). */
@Module({
  imports: [MergedIdsModule, UsersModule, BookQueueModule, StoredSearchesModule],
  controllers: [
    BooksController,
    TagsController,
    CollectionsController,
    AnnotationsController,
    ReviewsController,
  ],
  providers: [
    BooksRepository,
    BooksService,
    SearchRepository,
    SearchService,
    TagCountsTask,
    TagsRepository,
    TagsService,
    CollectionsRepository,
    CollectionsService,
    AnnotationsRepository,
    AnnotationsService,
    ReviewsRepository,
    ReviewsService,
    BookPagesRepository,
  ],
  exports: [
    BooksService,
    BooksRepository,
    SearchService,
    TagsService,
    CollectionsService,
    AnnotationsService,
    BookPagesRepository,
  ],
})
export class BooksModule {}
