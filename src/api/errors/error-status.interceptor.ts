import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { toApiError } from './exception-to-error';
import { type ApiRequest } from '../http/request-context';

/** Converts errors of handlers to numbered errors; the error filter writes the response. */
@Injectable()
export class ErrorStatusInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { context } = execution.switchToHttp().getRequest<ApiRequest>();
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw toApiError(error, context);
      }),
    );
  }
}
