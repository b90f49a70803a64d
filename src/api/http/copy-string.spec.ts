import { copyString } from './copy-string';

it.each(['', 'plain', '\u0000ÿ', '三体', '\ud83d', 'a\udc00b'])(
  'a copy of %j equals it',
  (text) => {
    expect(copyString(text)).toBe(text);
  },
);
