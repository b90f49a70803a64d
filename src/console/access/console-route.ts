import { applyDecorators, UseFilters, UseGuards } from '@nestjs/common';
import { PageRoute } from '../../web/page-route';
import { ConsoleFilter } from './console.filter';
import { LargeFormsGuard } from './large-forms.guard';

/**
 * A page or form of the console. The handler calls `ConsoleSessions`, which requires a signed-in
 * administrator and accepts no tokens. Forms of administrators have the limit of bodies of the API.
 */
export const ConsoleRoute = (): MethodDecorator =>
  applyDecorators(PageRoute(), UseFilters(ConsoleFilter), UseGuards(LargeFormsGuard));
