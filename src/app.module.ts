import { Module, type DynamicModule } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { AdminModule } from './admin/admin.module';
import { SignInModule } from './accounts/sign-in.module';
import { ApiModule } from './api/api.module';
import { BooksModule } from './books/books.module';
import { CitiesModule } from './cities/cities.module';
import { ConfigModule } from './config/config.module';
import { type Settings } from './config/settings';
import { ConsistencyModule } from './consistency/consistency.module';
import { ConsentModule } from './consent/consent.module';
import { ConsoleModule } from './console/console.module';
import { ContentChangesModule } from './database/content-changes.module';
import { DatabaseModule } from './database/database.module';
import { DevelopersModule } from './developers/developers.module';
import { DocsModule } from './docs/docs.module';
import { EventsModule } from './events/events.module';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { LimitsModule } from './limits/limits.module';
import { ImagesModule } from './images/images.module';
import { MetricsModule } from './metrics/metrics.module';
import { MergesModule } from './merges/merges.module';
import { MoviesModule } from './movies/movies.module';
import { NotesModule } from './notes/notes.module';
import { ModerationModule } from './moderation/moderation.module';
import { OauthModule } from './oauth/oauth.module';
import { PagesModule } from './pages/pages.module';
import { SampleModule } from './sample/sample.module';
import { SiteModule } from './site/site.module';
import { JobsModule } from './import-export/jobs/jobs.module';
import { UsersModule } from './users/users.module';
import { WebModule } from './web/web.module';

/** The map of the service: every module that serves requests. */
@Module({})
export class AppModule {
  /** @param direct the data source of DATABASE_DIRECT_URL, when there is one */
  static with(settings: Settings, source: DataSource, direct = source): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(settings),
        DatabaseModule.with(source, direct),
        MetricsModule.with(settings),
        ApiModule,
        ConsistencyModule,
        ContentChangesModule,
        MergesModule,
        // Routes are looked for one after the other: those that are asked for most come first.
        BooksModule,
        MoviesModule,
        EventsModule,
        NotesModule,
        OauthModule,
        IdempotencyModule,
        ModerationModule,
        SignInModule,
        ConsentModule,
        DevelopersModule,
        WebModule,
        LimitsModule,
        UsersModule,
        CitiesModule,
        ImagesModule,
        SiteModule,
        PagesModule,
        DocsModule,
        SampleModule,
        AdminModule,
        ConsoleModule,
        JobsModule,
      ],
    };
  }
}
