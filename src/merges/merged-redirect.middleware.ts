import { Injectable, type NestMiddleware } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { MAX_REDIRECT_LENGTH } from '../web/reader';
import { MergedIds } from '../api/routing/merged-ids';

/** Pages of books and films, and the pages below them. */
const PAGE = /^\/(book|movie\/subject)\/(\d{1,16})(?=[/?]|$)/;
const KINDS: Readonly<Record<string, string>> = { book: 'book', 'movie/subject': 'movie' };

/** Redirects pages of merged books and films to those of the surviving ones (D149). */
@Injectable()
export class MergedRedirect implements NestMiddleware {
  constructor(private readonly merged: MergedIds) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const [start = '', area = '', id] = PAGE.exec(request.originalUrl) ?? [];
    const survivor = this.merged.survivorOf(KINDS[area] ?? '', Number(id));
    if (survivor === undefined) {
      next();
      return;
    }
    const rest = request.originalUrl.slice(start.length);
    response.redirect(301, `/${area}/${survivor}${rest.length > MAX_REDIRECT_LENGTH ? '' : rest}`);
  }
}
