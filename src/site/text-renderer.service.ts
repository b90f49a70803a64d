import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { listPictureSizes } from '../images/pictures.repository';
import { html, Html } from '../web/html';
import { langOf } from '../web/record-components';
import { withoutFigureBreaks } from './figure-breaks';
import { withFormulas } from './formulas';

/** The large file of an uploaded picture in the markup of a text. */
const UPLOADED = /<img (?=src="[^"]*\/pictures\/u\/([0-9a-f]{64})-l\.(?:jpg|png)")/g;

/** Renders texts of users for pages. */
@Injectable()
export class TextRenderer {
  constructor(private readonly database: Database) {}

  /**
   * A text with its formulas. Pictures load when they are scrolled into view, and have their size so
   * that the page does not move; the same text in the API has no such attributes.
   * @param markup HTML of `renderHtml` or `noteHtml`, which escape every `<` of the text
   * @param text the same as plain text
   */
  async render(markup: string, text: string): Promise<Html> {
    const hashes = [...markup.matchAll(UPLOADED)].map(([, hash]) => String(hash));
    const sizes = await listPictureSizes(this.database, [...new Set(hashes)]);
    const sized = markup.replace(UPLOADED, (element, hash: string) => {
      const size = sizes.get(hash);
      return size ? `${element}width="${size.width}" height="${size.height}" ` : element;
    });
    const lazy = (await withFormulas(withoutFigureBreaks(sized))).replaceAll(
      '<img ',
      '<img loading="lazy" decoding="async" ',
    );
    return html`<div class="prose" ${langOf(text) && html`lang="zh"`}>${new Html(lazy)}</div>`;
  }
}
