import { RECORD_TYPES } from '../../admin/records/record-types';
import { tabs } from '../../web/components';
import { type Html } from '../../web/html';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { CONSOLE } from '../paths';

/** Lists of the catalogue that are no record types. */
const LISTS = ['series', 'showings', 'charts'] as const;

/** Links to the lists of the catalogue. @param current name of a record type or list */
export const catalogueTabs = ({ words }: ConsoleSession, current: string): Html =>
  tabs(words.areas.catalogue, [
    ...RECORD_TYPES.map(({ name }) => ({
      href: withQuery(CONSOLE.catalogue, { type: name }),
      label: words.catalogue.types[name as keyof typeof words.catalogue.types],
      current: name === current,
    })),
    ...LISTS.map((name) => ({
      href: CONSOLE[name],
      label: words.lists[name],
      current: name === current,
    })),
  ]);
