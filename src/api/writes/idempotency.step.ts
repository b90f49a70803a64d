import { Injectable, Optional, type CallHandler, type OnModuleDestroy } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Settings } from '../../config/settings';
import { ApiError, malformed } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { RenderedBody } from '../http/rendered-body';
import {
  digestOf,
  IdempotencyStore,
  keyInUse,
  type Attempt,
  type BeginResult,
  type IdempotentResponse,
} from './idempotency';
import { KeyReleases } from './key-releases';
import { ResponseStorage } from './response-storage';

const HEADER = 'idempotency-key';
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Replays the stored response. */
function replayResponse(response: IdempotentResponse): RenderedBody {
  if ('error' in response) throw new ApiError(response.error, { detail: response.detail });
  return new RenderedBody(response.body, response.contentType);
}

/**
 * Safe retries: a POST with an `Idempotency-Key` is executed once, and repeats get the same
 * response (draft-ietf-httpapi-idempotency-key-header). A step of every write after its body is
 * read, around response rendering; a separate interceptor would slow down every read.
 */
@Injectable()
export class IdempotencyStep implements OnModuleDestroy {
  private readonly responses = new ResponseStorage();
  private readonly releases: KeyReleases;

  constructor(
    @Optional() private readonly store?: IdempotencyStore,
    @Optional() settings?: Settings,
  ) {
    this.releases = new KeyReleases(settings?.DATABASE_STATEMENT_TIMEOUT_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.responses.stop(), this.releases.stop()]);
  }

  /** @throws ApiError 999 (400, 409 or 422) for an invalid key or a conflict */
  pass(request: ApiRequest, next: CallHandler): Observable<unknown> {
    const key = request.headers[HEADER];
    const { application, user } = request.context.caller;
    if (request.method !== 'POST' || key === undefined || !this.store || !application || !user) {
      return next.handle();
    }
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw malformed(
        'Idempotency-Key must be 1 to 255 printable ASCII characters, without spaces',
      );
    }
    const owner = { applicationId: application.id, userId: user.id };
    return from(this.once(this.store.createAttempt(owner, key), request, next));
  }

  private async once(attempt: Attempt, request: ApiRequest, next: CallHandler): Promise<unknown> {
    const beginning = await this.begin(attempt, await digestOf(request));
    switch (beginning.state) {
      case 'responded':
        return replayResponse(beginning.response);
      case 'other':
        throw new ApiError('unknown', {
          status: 422,
          detail: 'the Idempotency-Key was already used for a different request',
        });
      case 'running':
        throw keyInUse();
      case 'lost':
        throw new ApiError('unknown', {
          status: 409,
          detail: 'the request was executed, but its response was not stored: read what it wrote',
        });
      case 'fresh':
        return this.carryOut(attempt, request, next);
    }
  }

  private async begin(attempt: Attempt, digest: Buffer): Promise<BeginResult> {
    try {
      return await attempt.begin(digest);
    } catch (error) {
      if (attempt.mayHaveClaimed) this.releases.releaseUnacknowledged(attempt);
      throw error;
    }
  }

  private async carryOut(
    attempt: Attempt,
    request: ApiRequest,
    next: CallHandler,
  ): Promise<unknown> {
    request.attempt = attempt;
    try {
      const value: unknown = await lastValueFrom(next.handle());
      if (value instanceof RenderedBody) {
        const { body, contentType } = value;
        await this.responses.store(attempt, { body, contentType });
      }
      return value;
    } catch (error) {
      // Stores client errors as responses; after a server error the client may retry.
      if (error instanceof ApiError && error.status < 500) {
        await this.responses.store(attempt, { error: error.error, detail: error.detail });
      } else {
        await this.releases.release(attempt);
      }
      throw error;
    }
  }
}
