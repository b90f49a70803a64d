import fc from 'fast-check';

/** Pieces whose marks, whole, broken and nested, may meet each other in every way. */
export const PIECES = fc.oneof(
  fc.constantFrom(
    ...['[img=1:C]', '[img=2:L]', '[/img]', '[url=http://x.y/z]', '[url=', '[/url]', ']', '['],
    ...['<a href="http://x.y">', "<a href='https://q'>", '<a ', '<a href="/no">', '</a>', '>', '"'],
    ...[
      '<图片p_1>',
      '<图片 p_2="">',
      '<图片',
      'p_1>',
      'http://x.y/z',
      'https://',
      'http://a.',
      '。',
    ],
    ...['&lt;', '&#91;', '&quot;', '&#0;', '\n', ' ', '<', 'img=1:C]', '/img]', '\u0338', '1'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

/** Contents of notes. */
export const CONTENT = fc.array(PIECES, { minLength: 1, maxLength: 14 }).map((all) => all.join(''));
