import { Controller, Get } from '@nestjs/common';
import { Extension, Public, RespondsJson, OperationId, Summary } from '../api/routing/route';
import { RouteTable } from '../api/routing/route-table';
import { apiDocument, type ApiDocument } from './api-documents';

/** The OpenAPI documents. */
@Controller()
export class DocumentsController {
  /** Cached, because routes do not change after startup. */
  private readonly documents = new Map<ApiDocument, object>();

  constructor(private readonly routes: RouteTable) {}

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
