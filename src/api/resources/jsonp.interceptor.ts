import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { type Response } from 'express';
import {
  renderBody,
  RenderedBody,
  renderSerializedJson,
  RenderedJson,
  type FileResponse,
  type ApiRequest,
} from '../http/request-context';

/** Renders the response: JSON, JSONP for a GET with `callback` (D6), or a file. */
@Injectable()
export class JsonpInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { context } = execution.switchToHttp().getRequest<ApiRequest>();
    const answering = context.route?.answer;
    if (answering?.kind === 'page' || answering?.kind === 'empty') return next.handle();
    if (answering?.kind === 'file') {
      const response = execution.switchToHttp().getResponse<Response>();
      return next.handle().pipe(
        map((answer) => {
          const { name, body } = answer as FileResponse;
          response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
          return new RenderedBody(body, answering.type);
        }),
      );
    }
    return next
      .handle()
      .pipe(
        map((answer) =>
          answer instanceof RenderedJson
            ? renderSerializedJson(context, answer)
            : renderBody(context, answer),
        ),
      );
  }
}
