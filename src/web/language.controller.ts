import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import { Public, RespondsPage } from '../api/routing/route';
import { setCookie } from './cookies';
import { LANGUAGE_COOKIE, LANGUAGES } from './language';
import { PATHS } from './layout';
import { PageFilter } from './page.filter';
import { redirect } from './page-response';
import { sameOriginPath } from './reader';

/** The language switch: a GET, so that it works as a link on every page. */
@Controller('service/language')
@UseFilters(PageFilter)
export class LanguageController {
  @Get()
  @Public()
  @RespondsPage()
  select(@Req() request: ApiRequest, @Res() response: Response): void {
    const { to, return_to: returnTo } = request.context.query;
    if (typeof to === 'string' && LANGUAGES.has(to)) {
      setCookie(request, response, LANGUAGE_COOKIE, to);
    }
    redirect(response, sameOriginPath(returnTo) ?? PATHS.home);
  }
}
