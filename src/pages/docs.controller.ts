import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import { Public, RespondsJson, RespondsPage, Summary } from '../api/routing/route';
import { openApiDocument } from '../api/openapi/openapi';
import { WireContext } from '../api/resources/resource';
import { RouteTable } from '../api/routing/route-table';
import { readerOf } from '../web/reader';
import { sendPublicPage } from '../web/page-response';
import { docsPage, docsScript, docsStyle, frontPage } from './pages.html';

/** A relative server URL, which works for any host name. */
const RELATIVE = '/';

@Controller()
export class DocsController {
  private document: object | undefined;

  constructor(
    private readonly routes: RouteTable,
    private readonly context: WireContext,
  ) {}

  @Get()
  @Public()
  @RespondsPage()
  front(@Req() request: ApiRequest, @Res() response: Response): void {
    sendPublicPage(response, frontPage(readerOf(request), this.context.baseUrl));
  }

  @Get('docs')
  @Public()
  @RespondsPage()
  docs(@Req() request: ApiRequest, @Res() response: Response): void {
    sendPublicPage(response, docsPage(readerOf(request)));
  }

  @Get('docs/start.js')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  script(): string {
    return docsScript();
  }

  @Get('docs/header.css')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/css; charset=utf-8')
  style(): string {
    return docsStyle();
  }

  @Get('v2/openapi.json')
  @Public()
  @RespondsJson({ type: 'object' })
  @Summary('This document: OpenAPI 3.1')
  openApi(): object {
    // Cached, because routes do not change after startup.
    return (this.document ??= openApiDocument(this.routes, RELATIVE));
  }
}
