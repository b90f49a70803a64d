import fc from 'fast-check';
import { escapeHtml, hasFormula, parseMarkup, plainText, renderHtml } from './markup';

const CONTEXT = {
  baseUrl: 'http://api.test',
  webUrl: 'http://web.test',
  sign: (path: string) => `${path}?signed`,
};
const html = (content: string, photos: Record<string, string> = {}) =>
  renderHtml(content, photos, CONTEXT);

/**
 * Elements and attributes that rendered HTML may have; anything else is text, whose `<` is escaped.
 */
const ALLOWED = [
  /<br>/g,
  /<img src="https?:\/\/[^"<>\s]+" alt="">/g,
  /<a href="https?:\/\/[^"<>\s]+" rel="nofollow noopener">[^<>]*<\/a>/g,
  /<code class="tex">[^<>]*<\/code>/g,
  /<pre><code(?: class="language-[\w+#.-]+")?>[^<>]*<\/code><\/pre>/g,
  /<\/?blockquote>/g,
];
const leftOver = (rendered: string) =>
  ALLOWED.reduce((text, allowed) => text.replace(allowed, ''), rendered);

describe('pseudo-tags of pictures (specification section 4.1, D24)', () => {
  it.each([
    '<图片1>',
    '<图片 1>',
    '<图片 1="">',
    '<图片 n="1">',
    '<图片 1=""/>',
    '<图片  n = "1" >',
  ])('%s refers to picture 1', (tag) => {
    expect(parseMarkup(`a${tag}b`)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'picture', number: 1 },
      { kind: 'text', text: 'b' },
    ]);
    expect(html(tag, { 1: '/p/1.jpg' })).toBe('<img src="http://api.test/p/1.jpg" alt="">');
    expect(plainText(`a ${tag} b`)).toBe('a b');
  });

  it.each([
    '<图片>',
    '<图片 n="">',
    '<图片 x>',
    '<图片 -1>',
    '<图片 n="1',
    '<picture 1>',
    '<图片 12345>',
  ])('%s is plain text', (tag) => {
    expect(parseMarkup(tag)).toEqual([{ kind: 'text', text: tag }]);
    expect(html(tag, { 1: '/p/1.jpg' })).toBe(escapeHtml(tag));
  });

  it('are omitted when the picture does not exist', () => {
    expect(html('a<图片2>b', { 1: '/p/1.jpg' })).toBe('ab');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.test/x', 'ftp://x/y', 'x', ''])(
    'show no picture whose address is not http: %s',
    (address) => {
      expect(html('<图片1>', { 1: address })).not.toMatch(/javascript:|data:|ftp:|src="\/\//);
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    'with the number %s are not looked up on the prototype',
    (name) => {
      expect(html(`<图片 n="${name}">`)).not.toContain('<img');
    },
  );
});

describe('formulas', () => {
  it('are shown as written, escaped', () => {
    expect(html('a <tex>x<y & "z"</tex>')).toBe(
      'a <code class="tex">x&lt;y &amp; &quot;z&quot;</code>',
    );
    expect(plainText('a <tex>x^2</tex>')).toBe('a x^2');
  });
});

describe('quotations and code (D117)', () => {
  it('are blocks of HTML, and words of plain text', () => {
    const text =
      '看：<原文开始>\n人非\n<图片1></原文结束>对。<代码开始 lang="C++">\na < b;\n\n</代码结束>';
    expect(html(text, { 1: '/p/1.jpg' })).toBe(
      '看：<blockquote>人非<br><img src="http://api.test/p/1.jpg" alt=""></blockquote>对。' +
        '<pre><code class="language-c++">a &lt; b;\n</code></pre>',
    );
    expect(plainText(text)).toBe('看： 人非 对。 a < b;');
  });

  it.each([
    ['<代码开始>a</代码结束>', '<pre><code>a</code></pre>'],
    ['<代码开始 lang=py>a</代码结束>', '<pre><code class="language-py">a</code></pre>'],
    ["<代码开始 lang='py' >a</代码结束 >", '<pre><code class="language-py">a</code></pre>'],
    ['<代码开始 lang="">a</代码结束>', '<pre><code>a</code></pre>'],
    ['<代码开始 lang="&quot;x">a</代码结束>', '<pre><code>a</code></pre>'],
    [
      '<代码开始><原文开始><图片1><tex>b</代码结束>',
      '<pre><code>&lt;原文开始&gt;&lt;图片1&gt;&lt;tex&gt;b</code></pre>',
    ],
    ['<原文开始><tex>a</tex></原文结束>', '<blockquote><code class="tex">a</code></blockquote>'],
    ['<原文开始>http://a.test</原文结束>', `<blockquote>${html('http://a.test')}</blockquote>`],
  ])('%s', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it.each([
    '<原文开始>a',
    'a</原文结束>',
    '</代码结束>a<代码开始>',
    '<代码开始 onload="a">b',
    '<原文开始 x>a</原文结束>',
  ])('are text without both tags: %s', (text) => {
    expect(parseMarkup(text)).toEqual([{ kind: 'text', text }]);
    expect(html(text)).toBe(escapeHtml(text));
  });

  it('do not nest', () => {
    expect(html('<原文开始>a<原文开始>b</原文结束>c</原文结束>')).toBe(
      '<blockquote>a&lt;原文开始&gt;b</blockquote>c&lt;/原文结束&gt;',
    );
  });

  it('may have formulas', () => {
    expect(hasFormula('<原文开始><tex>a</tex></原文结束>')).toBe(true);
    expect(hasFormula('<代码开始><tex>a</tex></代码结束>')).toBe(false);
  });

  it.each([
    '<代码开始',
    '<代码开始 lang',
    '<代码开始 lang=',
    '<图片',
    '<图片1',
    '<图片n=',
    '</原文结束',
  ])('are read in linear time with many spaces: %s', (tag) => {
    const text = `${tag}${' '.repeat(200_000)}x`;
    expect(parseMarkup(text)).toEqual([{ kind: 'text', text }]);
  });

  it('that are begun a hundred thousand times are read within the time of a test', () => {
    for (const tag of ['<原文开始>', '<代码开始 lang="a">', '<代码开始 lang=', '</原文结束>']) {
      expect(parseMarkup(tag.repeat(100_000))).toHaveLength(1);
    }
    expect(parseMarkup('<原文开始><代码开始>'.repeat(50_000) + '</原文结束>')).toHaveLength(1);
  });
});

describe('links', () => {
  it.each([
    ['see http://a.test/x?y=1&z=2.', 'http://a.test/x?y=1&amp;z=2'],
    ['(see http://a.test/x).', 'http://a.test/x'],
    ['http://a.test/x_(y)', 'http://a.test/x_(y)'],
    ['(http://a.test/x_(y)!)', 'http://a.test/x_(y)'],
    ['[url=http://a.test/x]y[/url]', 'http://a.test/x'],
    ['（https://a.test/x）。', 'https://a.test/x'],
    ['https://a.test/x，然后', 'https://a.test/x'],
  ])('are created from addresses: %s', (text, address) => {
    expect(html(text)).toContain(`<a href="${address}" rel="nofollow noopener">${address}</a>`);
  });

  it.each([
    'javascript:alert(1)',
    'ftp://a.test',
    'www.a.test',
    'data:text/html,x',
    'http://',
    'https://...',
  ])('are not created from %s', (text) => {
    expect(html(text)).toBe(escapeHtml(text));
  });
});

describe('HTML of hostile text', () => {
  const CORPUS = [
    '<script>alert(1)</script>',
    '<ScRiPt src=//evil.test></sCrIpT>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<math><mi xlink:href="data:x,<script>alert(1)</script>">',
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    '<图片 1="" onerror="alert(1)">',
    '<图片 n="1" onerror="alert(1)">',
    '<图片1><script>alert(1)</script>',
    '<图片 1="\\"><script>alert(1)</script>">',
    '<tex></tex><script>alert(1)</script><tex></tex>',
    '<tex><script>alert(1)</script></tex>',
    '<tex></code><img src=x onerror=alert(1)></tex>',
    '<tex><tex>a</tex></tex><b>',
    'http://a.test/"onmouseover="alert(1)',
    "http://a.test/'onmouseover='alert(1)",
    'http://a.test/<script>alert(1)</script>',
    'http://a.test/&quot;onload=&quot;alert(1)',
    'http://javascript:alert(1)@a.test',
    '<!--<img src="--><img src=x onerror=alert(1)>',
    '<![CDATA[<script>alert(1)</script>]]>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&#60;script&#62;alert(1)',
    '<style>*{background:url(javascript:alert(1))}</style>',
    '\u003cscript\u003ealert(1)',
    '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
    '＜script＞alert(1)＜/script＞',
    '<a\u2028href=javascript:alert(1)>',
  ];

  it.each(CORPUS)('has only known elements and attributes: %s', (text) => {
    const rendered = html(text, { 1: '/p/1.jpg' });
    expect(leftOver(rendered)).not.toMatch(/[<>"']/);
  });

  it.each(CORPUS)(
    'has only known elements and attributes with a hostile picture address: %s',
    (text) => {
      const rendered = html('<图片1>', { 1: `https://a.test/${text}` });
      expect(rendered.replace(/^<img src="[^"<>]*" alt="">$/, '')).toBe('');
    },
  );

  it('has only known elements and attributes for any text (property test)', () => {
    const parts = fc.constantFrom(
      ...['<', '>', '"', "'", '&', '<图片1>', '<图片 1="', '<tex>', '</tex>', 'http://a', '/'],
      ...['<原文开始>', '</原文结束>', '<代码开始 lang="', '<代码开始>', '</代码结束>'],
      ...['<img ', 'onerror=', '\n', ' ', '">', 'script', '图片', 'n="1"', '&quot;', '='],
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 15 }), (input) => {
        expect(leftOver(html(input.join(''), { 1: '/p/1.jpg' }))).not.toMatch(/[<>"']/);
      }),
      { seed: 24, numRuns: 1000 },
    );
  });

  it('keeps the visible text', () => {
    const unescape = (rendered: string) =>
      rendered
        .replace(/<br>/g, '\n')
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, '&');
    const text = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';', '\n') });
    fc.assert(
      fc.property(text, (input) => {
        expect(unescape(html(input))).toBe(input);
      }),
      { seed: 24 },
    );
  });

  it('is rendered in linear time', () => {
    for (const part of ['<图片 ', '<tex>', '<图片 1="', 'http://', '<图片 n="1']) {
      const text = part.repeat(20_000);
      expect(leftOver(html(text))).not.toMatch(/[<>"']/);
    }
  });
});

describe('plainText', () => {
  it('returns one line without pseudo-tags', () => {
    expect(plainText(' a\n\n<图片 1> b \t<tex>c</tex> ')).toBe('a b c');
  });
});

describe('formulas', () => {
  it('without an end are text, and so is a later end', () => {
    expect(parseMarkup('<tex>a</TEX> <tex>b')).toEqual([
      { kind: 'formula', source: 'a' },
      { kind: 'text', text: ' <tex>b' },
    ]);
  });

  it('are not empty', () => {
    expect(['<tex> </tex>', '<tex></tex>', '<tex>a', 'a</tex>'].map(hasFormula)).toEqual(
      Array(4).fill(false),
    );
    expect(hasFormula('x <TeX>a^2</tEx>')).toBe(true);
  });

  it('repeated a hundred thousand times are parsed in linear time', () => {
    const content = '<tex>'.repeat(100_000);
    expect(parseMarkup(content)).toEqual([{ kind: 'text', text: content }]);
    expect(parseMarkup(`${content}</tex>`)).toHaveLength(1);
  });
});
