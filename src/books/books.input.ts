import { EnumParam, Text, IntegerParam } from '../api/input/input';
import { IdListParam, NameListParam } from '../api/input/list-params';
import { Instant } from '../api/input/time-params';

const FORMAT =
  'RFC 3339, such as `2013-12-25T22:09:04+08:00`. Without an offset: in the time zone of the service.';

/** Filters of a user's collections (specification section 4.1). */
export class CollectionsInput {
  @EnumParam(['wish', 'reading', 'read'], {
    aliases: { doing: 'reading', done: 'read' },
    about: 'Collections with this status; all of them when absent.',
  })
  status?: string;

  @Text({ about: 'Collections with this tag.' })
  tag?: string;

  @Instant({ local: true, about: `Updated at this time or later. ${FORMAT}` })
  from?: Date | string;

  @Instant({ local: true, about: `Updated at this time or earlier. ${FORMAT}` })
  to?: Date | string;

  @IntegerParam({
    min: 1,
    max: 5,
    lenient: true,
    about: 'Collections with this rating. Any other value filters nothing.',
  })
  rating?: number;
}

/** Books by id or ISBN (D46). */
export class BooksInput {
  @IdListParam({
    about: 'Ids of up to 100 books, separated by commas; one of ids and isbns is needed.',
  })
  ids?: readonly string[];

  @NameListParam({ about: 'Up to 100 ISBNs, separated by commas, instead of ids.' })
  isbns?: readonly string[];
}

/** The owner of the collection (D22); the caller when absent. */
export class SingleCollectionInput {
  @Text({ about: "A uid or a numeric id; the caller's own collection when absent." })
  user_id?: string;
}

/** The format of an annotation's content. */
export class AnnotationInput {
  @EnumParam(['text', 'html'], {
    about: 'Format of `content`: text with pseudo-tags, or HTML.',
  })
  format: 'text' | 'html' = 'text';
}

/** Filters and order of a book's annotations (specification section 4.1). */
export class AnnotationsInput extends AnnotationInput {
  @EnumParam(['collect', 'rank', 'page'], {
    about: '`collect`: newest first, `rank`: most useful first, `page`: by page number.',
  })
  order: 'collect' | 'rank' | 'page' = 'rank';

  @IntegerParam({
    min: 1,
    max: 999999,
    digits: 6,
    error: 'invalidPageNumber',
    about: 'Annotations of this page.',
  })
  page?: number;
}
