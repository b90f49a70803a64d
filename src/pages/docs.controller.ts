import { Controller, Get, Header } from '@nestjs/common';
import { Public, RespondsJson, RespondsPage, Summary } from '../api/routing/route';
import { openApiDocument } from '../api/openapi/openapi';
import { WireContext } from '../api/resources/resource';
import { RouteTable } from '../api/routing/route-table';
import { docsPage, docsScript, frontPage } from './pages.html';

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
  @Header('Content-Type', 'text/html; charset=utf-8')
  front(): string {
    return frontPage(this.context.baseUrl);
  }

  @Get('docs')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/html; charset=utf-8')
  docs(): string {
    return docsPage();
  }

  @Get('docs/start.js')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  script(): string {
    return docsScript();
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
