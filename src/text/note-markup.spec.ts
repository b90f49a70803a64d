import fc from 'fast-check';
import { CONTENT, PIECES } from '../../test/factories/note-contents';
import { cleanText } from '../api/input/text-input';
import { EXCERPT_SOURCE } from './head';
import { noteHtml, notePlainBeginning, notePlainText, shortNote } from './note-html';
import { parseNote, withPictures, writeNote, type NoteNode } from './note-markup';

const text = (of: string): NoteNode => ({ kind: 'text', text: of });
const link = (address: string, title = ''): NoteNode => ({ kind: 'link', address, title });
const picture = (number: number, layout: 'L' | 'C' | 'R' = 'C', caption = ''): NoteNode => ({
  kind: 'picture',
  number,
  layout,
  caption,
});

describe('the parser normalizes', () => {
  it.each<[string, NoteNode[]]>([
    ['plain', [text('plain')]],
    ['a<图片p_1>b', [text('a'), picture(1), text('b')]],
    ['<图片 p_12>', [picture(12)]],
    ['<图片 p_1="">', [picture(1)]],
    ['<图片 p_1="x"/>', [picture(1)]],
    ['<图片1>', [text('<图片1>')]],
    ['<图片p_0>', [text('<图片p_0>')]],
    ['<图片p_10000>', [text('<图片p_10000>')]],
    ['[img=3:L][/img]', [picture(3, 'L')]],
    ['[img=3:R]says\nmuch[/img]', [picture(3, 'R', 'says\nmuch')]],
    ['[IMG=3:l]x[/IMG]', [picture(3, 'L', 'x')]],
    ['[img=3:X][/img]', [text('[img=3:X][/img]')]],
    ['[url=http://a.b/c?d=1][/url]', [link('http://a.b/c?d=1')]],
    ['[url=https://a.b]t [1][/url]', [link('https://a.b', 't [1]')]],
    ['[url=javascript:alert(1)]t[/url]', [text('[url=javascript:alert(1)]t[/url]')]],
    ['<a href="http://a.b">t</a>', [link('http://a.b', 't')]],
    ["<A class=x HREF='http://a.b'>t</A >", [link('http://a.b', 't')]],
    ['<a href=http://a.b>t</a>', [link('http://a.b', 't')]],
    ['<a href="http://a.b?x=1&amp;y=2">&lt;t&gt; &#65;</a>', [link('http://a.b?x=1&y=2', '<t> A')]],
    ['<a href="http://a.b/&#91;&quot;&#93;">t</a>', [link('http://a.b/%5B%22%5D', 't')]],
    ['<a href="http://a.b">&#91;/url]&#0;</a>', [link('http://a.b', '［/url]')]],
    ['<a href="/c">t</a>', [text('<a href="/c">t</a>')]],
    ['see http://a.b/c, and', [text('see '), link('http://a.b/c'), text(', and')]],
    ['看http://a.b/c。好', [text('看'), link('http://a.b/c'), text('。好')]],
    ['[img=1:C] http://a.b [/img]', [picture(1, 'C', ' http://a.b ')]],
    ['[img=1:C]<图片p_2>', [text('[img=1:C]'), picture(2)]],
    [
      '[url=http://a.b]<图片p_2>[/url]',
      [text('[url='), link('http://a.b'), text(']'), picture(2), text('[/url]')],
    ],
  ])('%j', (content, nodes) => {
    expect(parseNote(content)).toEqual(nodes);
  });

  it('sets the layout and caption of a picture from its parameters', () => {
    const styles = new Map([[1, { layout: 'R' as const, caption: 'a [/img] b' }]]);
    const nodes = parseNote('<图片p_1><图片p_2>', styles);
    expect(nodes).toEqual([picture(1, 'R', 'a ［/img] b'), picture(2)]);
    expect(writeNote(nodes)).toBe('[img=1:R]a ［/img] b[/img][img=2:C][/img]');
  });

  it('appends pictures that the text does not name, each once', () => {
    const pictures = new Map([
      [1, { layout: 'C' as const, caption: '' }],
      [2, { layout: 'L' as const, caption: 'two' }],
    ]);
    const nodes = withPictures(parseNote('<图片p_1> x'), pictures);
    expect(writeNote(nodes)).toBe('[img=1:C][/img] x\n[img=2:L]two[/img]');
  });
});

const STYLES = fc.record({
  layout: fc.constantFrom('L' as const, 'C' as const, 'R' as const),
  caption: fc.array(PIECES, { maxLength: 4 }).map((all) => cleanText(all.join(''))),
});

it('parsing, writing and parsing again returns the same tree (property test)', () => {
  fc.assert(
    fc.property(CONTENT, STYLES, (content, style) => {
      const nodes = parseNote(cleanText(content), new Map([[1, style]]));
      const written = writeNote(withPictures(nodes, new Map([[1, style]])));
      const again = parseNote(cleanText(written));
      expect(writeNote(again)).toBe(written);
      expect(parseNote(writeNote(again))).toEqual(again);
    }),
    { numRuns: 1000 },
  );
});

// Quadratic time would exceed the test's time limit.
it.each(['[img=1:C]', '[url=http://x', '<a ', '<a href="', '<图片 p_1 ', 'http://', '&#', ' '])(
  '%j repeated a hundred thousand times is parsed in linear time',
  (piece) => {
    expect(writeNote(parseNote(piece.repeat(100_000))).length).toBeGreaterThan(0);
  },
);

const CONTEXT = { baseUrl: 'http://api.test', webUrl: 'http://web.test', sign: (p: string) => p };
const html = (content: string, photos: Record<string, string> = {}): string =>
  noteHtml(parseNote(content), photos, CONTEXT);

describe('HTML', () => {
  it('shows existing pictures with layout and caption, and escapes all text', () => {
    const content = 'a<b>\n[img=1:L]"c" <i>[/img][img=2:C][/img][url=http://x.y?a&b]t"[/url]';
    expect(html(content, { '1': '/p/1.jpg' })).toBe(
      'a&lt;b&gt;<br><figure class="left"><img src="http://api.test/p/1.jpg" ' +
        'alt="&quot;c&quot; &lt;i&gt;"><figcaption>&quot;c&quot; &lt;i&gt;</figcaption></figure>' +
        '<a href="http://x.y?a&amp;b" rel="nofollow noopener">t&quot;</a>',
    );
  });

  it('omits pictures whose address is not http', () => {
    expect(html('[img=1:C]x[/img]', { '1': 'javascript:alert(1)' })).toBe('');
  });
});

describe('excerpts', () => {
  const nodes = parseNote('One two.\n<图片p_1>Three [url=http://x.y]four five[/url] six');
  it('keep complete paragraphs, and truncate the last one after a word', () => {
    expect(writeNote(shortNote(nodes, 100))).toBe(writeNote(nodes));
    expect(writeNote(shortNote(nodes, 21))).toBe(
      'One two.\n[img=1:C][/img]Three [url=http://x.y]four…[/url]',
    );
    expect(writeNote(shortNote(nodes, 15))).toBe('One two.\n[img=1:C][/img]Three …');
  });

  it('in plain text include captions and titles, on one line', () => {
    const content = 'a\nb[img=1:C]cap[/img]c <a href="http://x.y">t</a> http://u.v';
    expect(notePlainText(parseNote(content))).toBe('a b cap c t http://u.v');
  });
});

describe('notePlainBeginning', () => {
  it.each([
    ['a short note', 'a [url=http://a.b]c[/url]'],
    ['a long note', '人非草木，孰能无情。'.repeat(EXCERPT_SOURCE)],
    ['long captions', `[img=1:C]${'c '.repeat(500)}[/img]`.repeat(100)],
    ['emoji', `a${'\u{1f600}'.repeat(EXCERPT_SOURCE)}`],
  ])('begins like the whole text: %s', (_, content) => {
    const beginning = notePlainBeginning(content);
    const text = notePlainText(parseNote(content));
    expect(text.startsWith(beginning.replace(/…$/, ''))).toBe(true);
    expect(beginning.length).toBeGreaterThanOrEqual(Math.min(text.length, 900));
    expect(beginning.isWellFormed()).toBe(true);
  });

  it('reads no more than the beginning, which the time of parsing does not depend on', () => {
    expect(notePlainBeginning(`a${'[img=1:C][/img]'.repeat(3000)} b`)).toBe('a…');
  });
});
