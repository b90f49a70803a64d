import { htmlText } from './html-text';

describe('htmlToText', () => {
  it.each([
    ['<p>One</p><p>Two<br>Three</p>', 'One\nTwo\nThree'],
    ['<div class="middle"><img src="https://x.test/1.jpg" alt=""><br><b>带水</b></div>', '带水'],
    ['a &lt;b&gt; &amp;amp; &quot;c&quot;&nbsp;&#39;d&#x27;', `a <b> &amp; "c" 'd'`],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['a\r\n\r\n\r\n\r\nb \t c', 'a\n\nb c'],
    ['&#0;&#x110000;&unknown;', '&unknown;'],
    ['', ''],
  ])('of %j returns %j', (html, text) => {
    expect(htmlText(html)).toBe(text);
  });

  it('reads unclosed markup in linear time', () => {
    const open = '<'.repeat(200_000);
    expect(htmlText(open)).toBe(open);
    expect(htmlText('<a'.repeat(100_000))).toBe('<a'.repeat(100_000));
  });
});
