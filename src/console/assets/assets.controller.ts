import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../../api/http/request-context';
import { Public, RespondsPage } from '../../api/routing/route';
import { sendStyleSheet } from '../../web/style/style-sheet';
import { CONSOLE_SCRIPT } from './script';
import { CONSOLE_STYLE } from './style';

/** The style sheet and the script of the console. */
@Controller('admin')
export class ConsoleAssetsController {
  @Get('style.css')
  @Public()
  @RespondsPage()
  style(@Req() request: ApiRequest, @Res() response: Response): void {
    sendStyleSheet(response, CONSOLE_STYLE, request.context.query.v);
  }

  @Get('console.js')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  script(): string {
    return CONSOLE_SCRIPT;
  }
}
