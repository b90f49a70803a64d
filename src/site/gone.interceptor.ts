import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { BookPagesRepository } from '../books/book-pages.repository';
import { EventPagesRepository } from '../events/event-pages.repository';
import { MoviePagesRepository } from '../movies/movie-pages.repository';

/** Whether an object was public and an administrator deleted it. */
type IsDeleted = (id: number) => Promise<boolean>;

/**
 * Pages of deleted objects, and those below them, are 410 (D161). Other objects without a page are
 * 404: the response does not tell private and hidden ones from those that never existed.
 */
@Injectable()
export class GoneInterceptor implements NestInterceptor {
  /** By the first segments of the path, up to the id. */
  private readonly kinds: readonly (readonly [RegExp, IsDeleted])[];

  constructor(
    books: BookPagesRepository,
    movies: MoviePagesRepository,
    events: EventPagesRepository,
  ) {
    this.kinds = [
      [/^\/book\/:id\b/, (id) => books.isDeleted(id)],
      [/^\/movie\/subject\/:id\b/, (id) => movies.isDeletedSubject(id)],
      [/^\/movie\/celebrity\/:id\b/, (id) => movies.isDeletedCelebrity(id)],
      [/^\/event\/:id\b/, (id) => events.isDeleted(id)],
    ];
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<ApiRequest>();
    return next.handle().pipe(catchError((error: unknown) => this.explain(request, error)));
  }

  private async explain({ context, params }: ApiRequest, error: unknown): Promise<never> {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const path = context.route?.path ?? '';
    const kind = this.kinds.find(([pattern]) => pattern.test(path));
    const id = Number(params.id);
    if (!kind || !Number.isSafeInteger(id) || !(await kind[1](id))) throw error;
    throw new ApiError(error.error, { status: 410, detail: 'it was deleted' });
  }
}
