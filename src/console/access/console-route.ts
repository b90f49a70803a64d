import { applyDecorators, UseFilters } from '@nestjs/common';
import { PageRoute } from '../../web/page-route';
import { ConsoleFilter } from './console.filter';

/**
 * A page or form of the console. The handler calls `ConsoleSessions`, which requires a signed-in
 * administrator and accepts no tokens.
 */
export const ConsoleRoute = (): MethodDecorator =>
  applyDecorators(PageRoute(), UseFilters(ConsoleFilter));
