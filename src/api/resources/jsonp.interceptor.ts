import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { type Response } from 'express';
import { type ApiRequest } from '../http/request-context';
import {
  renderBody,
  RenderedBody,
  renderSerializedJson,
  RenderedJson,
  type FileResponse,
} from '../http/rendered-body';

/**
 * Renders the response: JSON, JSONP for a GET with `callback` (D6), or a file. `request-context.ts`
 * validates the callback.
 */
@Injectable()
export class JsonpInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { context } = execution.switchToHttp().getRequest<ApiRequest>();
    const routeResponse = context.route?.response;
    if (routeResponse?.kind === 'page' || routeResponse?.kind === 'empty') return next.handle();
    if (routeResponse?.kind === 'file') {
      const response = execution.switchToHttp().getResponse<Response>();
      return next.handle().pipe(
        map((result) => {
          const { name, body } = result as FileResponse;
          response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
          return new RenderedBody(body, routeResponse.type);
        }),
      );
    }
    return next
      .handle()
      .pipe(
        map((result) =>
          result instanceof RenderedJson
            ? renderSerializedJson(context, result)
            : renderBody(context, result),
        ),
      );
  }
}
