import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { frameBody, type FramedRequest } from './frame';

/** Turns a written answer into its bytes: JSON, or JSONP for a GET with `callback` (D6). */
@Injectable()
export class JsonpInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { frame } = execution.switchToHttp().getRequest<FramedRequest>();
    const kind = frame.route?.answer.kind;
    if (kind === 'page' || kind === 'empty') return next.handle();
    return next.handle().pipe(map((answer) => frameBody(frame, answer)));
  }
}
