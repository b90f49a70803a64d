import { Controller, Get, UseGuards } from '@nestjs/common';
import { RenderedJson } from '../api/http/rendered-body';
import {
  Errors,
  Extension,
  Public,
  RespondsJson,
  OperationId,
  Summary,
} from '../api/routing/route';
import { RouteTable } from '../api/routing/route-table';
import { PageLimitGuard } from '../web/page-limit.guard';
import { apiDocument, type ApiDocument } from './api-documents';

/** The OpenAPI documents. */
@Controller()
export class DocumentsController {
  /** Serialized once, because routes do not change after startup. */
  private readonly documents = new Map<ApiDocument, RenderedJson>();

  constructor(private readonly routes: RouteTable) {}

  @Get('v2/openapi.json')
  @Public()
  @RespondsJson({ type: 'object' })
  @Extension()
  @OperationId('getOpenApiDocument')
  @Summary('This document: OpenAPI 3.1')
  openApi(): RenderedJson {
    return this.documentOf('public');
  }

  /** Anyone may read it, and the limits of requests do not count routes of administration. */
  @Get('admin/v1/openapi.json')
  @UseGuards(PageLimitGuard)
  @Public()
  @RespondsJson({ type: 'object' })
  @Errors('rateLimitExceeded2')
  @OperationId('getAdminOpenApiDocument')
  @Summary('This document: OpenAPI 3.1')
  adminOpenApi(): RenderedJson {
    return this.documentOf('admin');
  }

  private documentOf(document: ApiDocument): RenderedJson {
    const existing = this.documents.get(document);
    if (existing) return existing;
    const made = new RenderedJson(JSON.stringify(apiDocument(document, this.routes)));
    this.documents.set(document, made);
    return made;
  }
}
