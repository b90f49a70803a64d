import { EnumParam, Id, Text, IntegerParam } from '../api/input/input';
import { ModeratedInput } from '../api/writes/moderation';
import { MAX_CONTENT, MAX_LINE, MAX_TAGS } from '../api/input/text-limits';
import { displayedForms } from '../text/markup';

const RATING = 'Stars from 1 to 5; anything else is no rating.';
const PRIVACY = '"private": for the author alone; anything else: for everybody.';

const ANNOTATION_CONTENT =
  'More than 15 characters, at most 50,000. <图片 n="1"> stands for the picture of that number. ' +
  'Quotations are inside <原文开始> and </原文结束>, code inside <代码开始 lang="python"> and </代码结束>.';

/** A collection as written by its user (specification section 4.1). */
export class CollectionWrite extends ModeratedInput {
  @EnumParam(['wish', 'reading', 'read'], {
    required: true,
    aliases: { doing: 'reading', done: 'read' },
    about: '`doing` is an alias of `reading`, and `done` of `read`.',
  })
  status!: 'wish' | 'reading' | 'read';

  @Text({
    moderated: true,
    max: MAX_TAGS,
    about: 'Separated by spaces: at most 20, each of at most 20 characters.',
  })
  tags?: string;

  @Text({ moderated: true, max: 350, error: 'commentTooLong', about: 'At most 350 characters.' })
  comment?: string;

  @EnumParam(['private'], { lenient: true, about: PRIVACY })
  privacy?: 'private';

  @IntegerParam({ min: 1, max: 5, lenient: true, about: RATING })
  rating?: number;
}

/** An annotation as written by its user (specification section 4.1). */
export class AnnotationWrite extends ModeratedInput {
  @Text({
    moderated: true,
    displayedForms,
    required: true,
    blank: 'inputTooShort',
    min: 16,
    max: MAX_CONTENT,
    error: 'inputTooShort',
    about: ANNOTATION_CONTENT,
  })
  content!: string;

  @IntegerParam({
    min: 1,
    max: 999_999,
    digits: 6,
    error: 'invalidPageNumber',
    about: 'Page number; one of page and chapter is needed.',
  })
  page?: number;

  @Text({
    moderated: true,
    max: 100,
    error: 'chapterTooLong',
    about: 'At most 100 characters; one of page and chapter is needed.',
  })
  chapter?: string;

  @EnumParam(['private'], { lenient: true, about: PRIVACY })
  privacy?: 'private';
}

/** The editable members of a review (specification section 4.1). */
export class ReviewWrite extends ModeratedInput {
  @Text({
    moderated: true,
    required: true,
    blank: 'titleMissing',
    max: MAX_LINE,
    about: 'At most 1,000 characters.',
  })
  title!: string;

  @Text({
    moderated: true,
    displayedForms,
    required: true,
    blank: 'reviewContentShort',
    min: 151,
    max: MAX_CONTENT,
    error: 'reviewContentShort',
    about: 'More than 150 characters, at most 50,000.',
  })
  content!: string;

  @IntegerParam({ min: 1, max: 5, lenient: true, about: RATING })
  rating?: number;
}

/** A new review with its book (specification section 4.1). */
export class NewReview extends ReviewWrite {
  @Id({ required: true, about: 'Id of the book.' })
  book!: number;
}
