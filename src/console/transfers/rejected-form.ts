import { withQuery } from '../../web/with-query';
import { CONSOLE } from '../paths';
import { type TransferErrorCode, type TransferInput } from './transfers.pages';

/** The path of the page with a rejected form and its error. */
export const rejectedFormPath = (
  failed: TransferErrorCode,
  input: Partial<TransferInput> = {},
): string => withQuery(CONSOLE.transfers, { failed, ...input });
