import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../../api/http/request-context';
import { Public, RespondsPage } from '../../api/routing/route';
import { PageLimitGuard } from '../page-limit.guard';
import { sendPage } from '../page-response';
import { readerOf } from '../reader';
import { sendStyleSheet } from '../style/style-sheet';
import { DESIGN_STYLE, designPage } from './design.page';

/** The page with tokens and components, for those who build pages of this service. */
@Controller('docs/design')
@UseGuards(PageLimitGuard)
export class DesignController {
  @Get()
  @Public()
  @RespondsPage()
  design(@Req() request: ApiRequest, @Res() response: Response): void {
    sendPage(response, designPage(readerOf(request)));
  }

  @Get('style.css')
  @Public()
  @RespondsPage()
  style(@Req() request: ApiRequest, @Res() response: Response): void {
    sendStyleSheet(response, DESIGN_STYLE, request.context.query.v);
  }
}
