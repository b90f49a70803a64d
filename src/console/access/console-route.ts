import { applyDecorators, UseFilters } from '@nestjs/common';
import { Public, RequireHttps, RespondsPage } from '../../api/routing/route';
import { ConsoleFilter } from './console.filter';

/**
 * A page or form of the console. The handler calls `ConsoleSessions`, which requires a signed-in
 * administrator and accepts no tokens.
 */
export const ConsoleRoute = (): MethodDecorator =>
  applyDecorators(Public(), RequireHttps(), RespondsPage(), UseFilters(ConsoleFilter));
