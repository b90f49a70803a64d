import { MAX_RESPONSE_BYTES } from '../api/resources/list-writer';
import { type LongTexts } from '../database/page-of';

/** The texts in the column `content` of a table, for lists of whole texts. */
export const longTextsOf = (table: string): LongTexts => ({
  table,
  column: 'content',
  maxBytes: MAX_RESPONSE_BYTES,
});
