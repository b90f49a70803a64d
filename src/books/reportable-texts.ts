import { reportable } from '../moderation/reported-kinds';
import { authorOnlySql } from '../moderation/visibility.sql';

/** Finds reportable texts about books. */
export const REPORTABLE_BOOK_TEXTS = reportable({
  collection: `collections t WHERE NOT ${authorOnlySql('t')}`,
  annotation: `annotations t WHERE NOT ${authorOnlySql('t')}`,
  review: 'reviews t WHERE NOT t.hidden',
});
