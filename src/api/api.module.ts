import { Module, type OnModuleInit } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  DiscoveryModule,
  DiscoveryService,
  MetadataScanner,
} from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { Settings } from '../config/settings';
import { ApiInterceptor } from './api.interceptor';
import { AccessGuard } from './access/access.guard';
import { BodyInterceptor } from './body/body.interceptor';
import { ResponseCache } from './cache/response-cache';
import { RouteCache } from './cache/route-cache';
import { CaptchaStep } from './writes/captcha.step';
import { ErrorFilter } from './errors/error.filter';
import { ErrorStatusInterceptor } from './errors/error-status.interceptor';
import { FastLane } from './fast-lane/fast-lane';
import { SpoolFolder } from './body/spool';
import { FieldsInterceptor } from './resources/fields.interceptor';
import { IdempotencyStep } from './writes/idempotency.step';
import { JsonpInterceptor } from './resources/jsonp.interceptor';
import { RequestLimits } from './limits/limit.decision';
import { LimitGuard } from './limits/limit.guard';
import { Observers } from './http/observer';
import { Overload } from './http/overload';
import { PathSigner, WireContext } from './resources/resource';
import { EtagCompressionInterceptor } from './resources/etag-compression.interceptor';
import { MERGED_IDS, MergedIds } from './routing/merged-ids';
import { MergedIdsModule } from './routing/merged-ids.module';
import { RouteTable } from './routing/route-table';
import { walkRoutes } from './routing/route-walk';
import { TierGuard } from './access/tier.guard';

/** The HTTP contract: guards, interceptors and filters of every controller. */
@Module({
  imports: [DiscoveryModule, PassportModule, MergedIdsModule],
  providers: [
    RouteTable,
    RequestLimits,
    Observers,
    Overload,
    CaptchaStep,
    IdempotencyStep,
    {
      provide: WireContext,
      inject: [Settings, { token: PathSigner, optional: true }],
      useFactory: (settings: Settings, signer?: PathSigner): WireContext => ({
        baseUrl: settings.baseUrl,
        webUrl: settings.webUrl,
        // Without the picture module there is no signer.
        sign: (path, use) => signer?.sign(path, use) ?? path,
      }),
    },
    AccessGuard,
    { provide: APP_GUARD, useExisting: AccessGuard },
    TierGuard,
    { provide: APP_GUARD, useExisting: TierGuard },
    LimitGuard,
    { provide: APP_GUARD, useExisting: LimitGuard },
    ErrorStatusInterceptor,
    {
      provide: SpoolFolder,
      inject: [Settings],
      useFactory: ({ uploadsDir }: Settings) => new SpoolFolder(uploadsDir),
    },
    BodyInterceptor,
    EtagCompressionInterceptor,
    JsonpInterceptor,
    FieldsInterceptor,
    { provide: APP_INTERCEPTOR, useClass: ApiInterceptor },
    ErrorFilter,
    { provide: APP_FILTER, useExisting: ErrorFilter },
    FastLane,
    ResponseCache,
    RouteCache,
  ],
  exports: [
    FastLane,
    Observers,
    Overload,
    ResponseCache,
    RouteTable,
    WireContext,
    RequestLimits,
    MergedIdsModule,
  ],
})
export class ApiModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly routes: RouteTable,
    private readonly mergedIds: MergedIds,
    private readonly cache: ResponseCache,
  ) {}

  onModuleInit(): void {
    // Position 0: the ids are in memory, so that reads of any replica may be stored.
    this.mergedIds.onReplaced = () => {
      this.cache.change([MERGED_IDS], 0);
    };
    walkRoutes(this.discovery, this.scanner, this.routes);
  }
}
