import { applyDecorators } from '@nestjs/common';
import { Public, RequireHttps, RespondsPage } from '../api/routing/route';

/**
 * A page or form for browsers. It accepts no tokens; the handler opens the session of the browser if
 * it needs one, and writes the response itself.
 */
export const PageRoute = (): MethodDecorator =>
  applyDecorators(Public(), RequireHttps(), RespondsPage());
