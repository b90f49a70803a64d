/** Members to select, in the book area (D7). */
export const FIELDS_PARAMETER = {
  name: 'fields',
  in: 'query',
  description: 'Members to answer with, separated by commas; all of them when absent or `all`.',
  schema: { type: 'string' },
};

/** The callback of JSONP (D6). */
export const CALLBACK_PARAMETER = {
  name: 'callback',
  in: 'query',
  description: 'Name to wrap the answer in, as `callback(json);` (JSONP).',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_]{0,50}$' },
};

/** Details in the body of errors (D45). */
export const ERROR_DETAIL_PARAMETER = {
  name: 'error_detail',
  in: 'query',
  'x-extension': true,
  description: '1: the body of an error has the member detail.',
  schema: { type: 'string', enum: ['1'] },
};
/** Status 200 for JSONP errors (D44). */
export const SUPPRESS_PARAMETER = {
  name: 'suppress_response_codes',
  in: 'query',
  'x-extension': true,
  description: '1: with callback, an error has status 200, so that browsers run it.',
  schema: { type: 'string', enum: ['1'] },
};

/** The key of an application (D15). */
export const APIKEY_PARAMETER = {
  name: 'apikey',
  in: 'query',
  description: 'Key of the calling application.',
  schema: { type: 'string' },
};
