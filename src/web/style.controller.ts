import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import { Public, RespondsPage } from '../api/routing/route';
import { FAVICON } from './brand';
import { STYLE } from './style/style';
import { sendStyleSheet } from './style/style-sheet';

/** The style sheet and the favicon of all pages. */
@Controller()
export class StyleController {
  @Get('service/style.css')
  @Public()
  @RespondsPage()
  style(@Req() request: ApiRequest, @Res() response: Response): void {
    sendStyleSheet(response, STYLE, request.context.query.v);
  }

  @Get('favicon.svg')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=86400')
  favicon(): string {
    return FAVICON;
  }
}
