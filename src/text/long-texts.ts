import { currentRequest } from '../api/http/current-request';
import { MAX_RESPONSE_BYTES } from '../api/resources/list-writer';
import { type LongTexts } from '../database/page-of';

/**
 * The texts in the column `content` of a table, for lists of whole texts.
 *
 * @param maxBytes the parameter of {@link maxTextBytes}
 */
export const longTextsOf = (table: string, maxBytes: string): LongTexts => ({
  table,
  column: 'content',
  maxBytes,
});

/** Bytes of texts that a list of the current request may read. */
export const maxTextBytes = (): number => currentRequest()?.maxTextBytes ?? MAX_RESPONSE_BYTES;
