import { CAPTCHA_ID, CAPTCHA_SOLUTION } from '../writes/captcha';

/** Members to select, in the book area (D7). */
export const FIELDS_PARAMETER = {
  name: 'fields',
  in: 'query',
  description:
    'Names of the members that the response should have, separated by commas. Other members are left ' +
    'out. All members without the parameter, or with `all`.',
  schema: { type: 'string' },
};

/** The callback of JSONP (D6). */
export const CALLBACK_PARAMETER = {
  name: 'callback',
  in: 'query',
  description: 'Name of a function: the response is the script `callback(json);` (JSONP).',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_]{0,50}$' },
};

/** Details in the body of errors (D45). */
export const ERROR_DETAIL_PARAMETER = {
  name: 'error_detail',
  in: 'query',
  'x-extension': true,
  description: 'With 1, the body of an error has the member `detail`.',
  schema: { type: 'string', enum: ['1'] },
};
/** Status 200 for JSONP errors (D44). */
export const SUPPRESS_PARAMETER = {
  name: 'suppress_response_codes',
  in: 'query',
  'x-extension': true,
  description: 'With 1 and `callback`, an error has status 200, so that browsers run the script.',
  schema: { type: 'string', enum: ['1'] },
};

/** The solution of a challenge (1007); it may also be in the body. */
export const CAPTCHA_PARAMETERS = [
  [CAPTCHA_ID, 'Id of a challenge from `/v2/captcha`, after error 1007; may also be in the body.'],
  [CAPTCHA_SOLUTION, 'Solution of the challenge; may also be in the body.'],
].map(([name = '', description]) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
}));

/** The key of a write that clients may repeat (D91). */
export const IDEMPOTENCY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  'x-extension': true,
  description:
    'Random text of 1 to 255 printable ASCII characters. A repeated request with the same key gets the ' +
    'response of the first one.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** A conditional request (D47). */
export const IF_NONE_MATCH_PARAMETER = {
  name: 'If-None-Match',
  in: 'header',
  'x-extension': true,
  description:
    'Entity tags of earlier responses. If the body still has one of them, the response is 304.',
  schema: { type: 'string' },
};

/** Words for segments of paths before an id, where the segment is not the word. */
const NOUNS: Readonly<Record<string, string>> = {
  movie: 'film or series',
  subject: 'film or series',
  subjects: 'film or series',
  comment: 'reply',
  loc: 'city',
  locs: 'city',
  series: 'series',
  celebrities: 'celebrity',
  applications: 'application',
  queue: 'entry',
  limits: 'limit',
};

const singular = (segment: string): string => NOUNS[segment] ?? segment.replace(/s$/, '');

/** Describes a parameter of a path by the segment before it, such as `Id of the book.` */
export function describePathParameter(path: string, name: string): string {
  const segment = (path.split(`/:${name}`)[0] ?? '').split('/').at(-1) ?? '';
  if (segment === 'isbn') return 'ISBN with 10 or 13 characters.';
  const isUser = segment.startsWith('user');
  const noun = isUser ? 'user' : singular(segment);
  if (name === 'name') return isUser ? 'Uid or id of the user.' : `Name of the ${noun}.`;
  if (name === 'clientId') return 'Client id of the application.';
  return `Id of the ${noun}: digits.`;
}

/** Descriptions of query parameters that many routes have. */
export const COMMON_PARAMETERS: Readonly<Record<string, string>> = {
  start: 'Number of elements to skip; 0 by default.',
};
