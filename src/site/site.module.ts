import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { BooksModule } from '../books/books.module';
import { CitiesModule } from '../cities/cities.module';
import { EventsModule } from '../events/events.module';
import { MoviesModule } from '../movies/movies.module';
import { NotesModule } from '../notes/notes.module';
import { MergedRedirect } from '../merges/merged-redirect.middleware';
import { UsersModule } from '../users/users.module';
import { BookPagesController } from './books/books.controller';
import { BookTextsController } from './books/texts.controller';
import { EventPagesController } from './events/events.controller';
import { LocalTimes } from './events/local-times.service';
import { HomeController } from './home/home.controller';
import { PopularService } from './home/popular.service';
import { SearchPageController } from './home/search.controller';
import { FeedsController } from './feeds/feeds.controller';
import { SitemapController } from './feeds/sitemap.controller';
import { SitemapService } from './feeds/sitemap.service';
import { CelebrityPagesController } from './movies/celebrities.controller';
import { ChartPagesController } from './movies/charts.controller';
import { SubjectPagesController } from './movies/subjects.controller';
import { NotePagesController } from './notes/notes.controller';
import { PeoplePagesController } from './people/people.controller';
import { PageLane } from './page-lane';
import { PageMemory } from './page-memory';
import { TextRenderer } from './text-renderer.service';
import { SitePages } from './site-pages.service';

/** Public pages of the catalogue, and the files for search engines. */
@Module({
  imports: [
    ApiModule,
    BooksModule,
    MoviesModule,
    EventsModule,
    NotesModule,
    UsersModule,
    CitiesModule,
  ],
  // Fixed paths precede paths with parameters: `book/annotation/1` is no page below a book.
  controllers: [
    FeedsController,
    BookTextsController,
    BookPagesController,
    SubjectPagesController,
    CelebrityPagesController,
    ChartPagesController,
    EventPagesController,
    NotePagesController,
    PeoplePagesController,
    HomeController,
    SearchPageController,
    SitemapController,
  ],
  providers: [
    SitePages,
    TextRenderer,
    LocalTimes,
    PopularService,
    SitemapService,
    PageMemory,
    PageLane,
  ],
})
export class SiteModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(MergedRedirect)
      .forRoutes(BookPagesController, SubjectPagesController, FeedsController);
  }
}
