import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import {
  Extension,
  Public,
  RespondsJson,
  RespondsPage,
  OperationId,
  Summary,
} from '../api/routing/route';
import { WireContext } from '../api/resources/resource';
import { RouteTable } from '../api/routing/route-table';
import { readerOf } from '../web/reader';
import { sendPublicPage } from '../web/page-response';
import { apiDocument, type ApiDocument } from './api-documents';
import { frontPage } from './pages.html';

@Controller()
export class FrontController {
  /** Cached, because routes do not change after startup. */
  private readonly documents = new Map<ApiDocument, object>();

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

  @Get('v2/openapi.json')
  @Public()
  @RespondsJson({ type: 'object' })
  @Extension()
  @OperationId('getOpenApiDocument')
  @Summary('This document: OpenAPI 3.1')
  openApi(): object {
    return this.documentOf('public');
  }

  @Get('admin/v1/openapi.json')
  @Public()
  @RespondsJson({ type: 'object' })
  @OperationId('getAdminOpenApiDocument')
  @Summary('This document: OpenAPI 3.1')
  adminOpenApi(): object {
    return this.documentOf('admin');
  }

  private documentOf(document: ApiDocument): object {
    const existing = this.documents.get(document);
    if (existing) return existing;
    const made = apiDocument(document, this.routes);
    this.documents.set(document, made);
    return made;
  }
}
