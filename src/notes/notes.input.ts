import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { malformed } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { BooleanParam, EnumParam, readInput, Text } from '../api/input/input';
import { ModeratedInput } from '../api/writes/moderation';
import { documents } from '../api/routing/route';
import { MAX_CONTENT, MAX_LINE, MAX_REPLY } from '../api/input/text-limits';
import { LAYOUTS, type Layout, type PictureStyle } from '../text/note-markup';
import { FORMATS, PRIVACIES, type Format, type Privacy } from './notes.rows';

const PIDS = 'Local picture ids, such as p_1,p_2; the picture of p_1 is the part image_1.';
const CONTENT =
  'At most 50,000 characters. Pictures are named by <图片p_1>, links are link tags or bare addresses.';

/** The format of the content (specification section 4.2). */
export class FormatInput {
  @EnumParam(FORMATS, {
    about:
      'Format of `content`: `text` with tags for pictures and links, `html_full`, or the first 200 ' +
      'characters as HTML (`html_short`) or as plain text (`abstract`).',
  })
  format: Format = 'text';
}

/** A note as written by its author (specification section 4.2, D32). */
export class NoteWrite extends ModeratedInput {
  @Text({
    moderated: true,
    required: true,
    blank: 'titleMissing',
    max: MAX_LINE,
    about: 'At most 1,000 characters.',
  })
  title!: string;

  @Text({ moderated: true, required: true, blank: 'descMissing', max: MAX_CONTENT, about: CONTENT })
  content!: string;

  // An empty value is rejected, because it could publish a private note (D32).
  @EnumParam(PRIVACIES, {
    blank: 'unknown',
    about: '`public`: visible to all, `friend`: to friends, `private`: to the author.',
  })
  privacy: Privacy = 'public';

  @BooleanParam({ about: 'Whether others may reply.' })
  can_reply: boolean = true;

  @Text({ moderated: false, about: `${PIDS} At most 3.` })
  pids?: string;
}

/** Pictures for an existing note (specification section 4.2). */
export class PicturesWrite extends ModeratedInput {
  @Text({ moderated: false, required: true, about: `${PIDS} 1 to 3.` })
  pids!: string;

  @Text({
    moderated: true,
    max: MAX_CONTENT,
    about: `${CONTENT} Without it the pictures are appended.`,
  })
  content?: string;
}

/** A reply to a note (D30). */
export class ReplyWrite extends ModeratedInput {
  @Text({
    moderated: true,
    required: true,
    blank: 'inputTooShort',
    max: MAX_REPLY,
    about: 'At most 5,000 characters.',
  })
  content!: string;
}

/** Maximum number of pictures per request (specification section 8). */
const PICTURES_AT_ONCE = 3;

/** Maximum length of `pids` in UTF-16 code units. */
const MAX_PIDS_LENGTH = 1000;

/**
 * The numbers in `pids` (D31).
 * @throws ApiError 999 for anything but up to three distinct ids like `p_1`
 */
export function numbersOf(pids = ''): number[] {
  if (pids.length > MAX_PIDS_LENGTH)
    throw malformed(`pids must have at most ${MAX_PIDS_LENGTH} characters`);
  const names = pids
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const numbers = names.map((name) => Number(/^p_([1-9]\d{0,3})$/.exec(name)?.[1] ?? NaN));
  if (numbers.some(Number.isNaN))
    throw malformed('pids must be a list of picture ids such as p_1,p_2');
  if (numbers.length > PICTURES_AT_ONCE)
    throw malformed(`pids must name at most ${PICTURES_AT_ONCE} pictures`);
  return numbers;
}

class StyleInput {
  @EnumParam(LAYOUTS)
  layout: Layout = 'C';

  @Text({ max: MAX_LINE })
  desc = '';
}

/** Reads layout and caption of a picture number from the body (D31). */
export type StyleReader = (number: number) => PictureStyle;

/**
 * Layouts and captions of a body: `layout_1` or `layout_p_1`, `desc_1` or `desc_p_1`. Reading one
 * throws 999 for a layout outside L, C and R.
 */
export const PictureStyles = createParamDecorator(
  (_data: unknown, context: ExecutionContext): StyleReader => {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const body = (request.body ?? {}) as Record<string, unknown>;
    return (number) => {
      const named = (name: string) => body[`${name}_${number}`] ?? body[`${name}_p_${number}`];
      const style = { layout: named('layout'), desc: named('desc') };
      const { layout, desc } = readInput(StyleInput, style);
      return { layout, caption: desc };
    };
  },
  [
    documents(() => [
      {
        name: 'layout_1',
        in: 'body',
        required: false,
        schema: { type: 'string', enum: [...LAYOUTS], default: 'C' },
        about: 'How the picture p_1 stands: left, in the centre, right.',
      },
      {
        name: 'desc_1',
        in: 'body',
        required: false,
        schema: { type: 'string' },
        moderated: true,
        about: 'Caption of the picture p_1, at most 1,000 characters; may be empty.',
      },
    ]),
  ],
);
