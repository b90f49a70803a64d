import { RECORDS as ENGLISH } from './en';
import { RECORDS as SIMPLIFIED } from './zh-hans';
import { RECORDS as TRADITIONAL } from './zh-hant';

export { type MemberText, type RecordMessages } from './en';

/** Messages about the members of records, by language. */
export const RECORDS = { en: ENGLISH, zhHans: SIMPLIFIED, zhHant: TRADITIONAL };
