import { html } from './html';

describe('html', () => {
  it('escapes values in text and in attributes', () => {
    const evil = `"><script>alert('x')</script>&`;
    expect(html`<a title="${evil}">${evil}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
    );
  });

  it('keeps markup made with the same tag, also in lists', () => {
    const items = [html`<b>${'<1>'}</b>`, html`<i>2</i>`];
    expect(html`${items}`.text).toBe('<b>&lt;1&gt;</b><i>2</i>');
  });

  it('writes nothing for undefined and null, but writes 0 and the empty string', () => {
    expect(html`[${false}${null}${undefined}${0}${''}]`.text).toBe('[0]');
  });

  it('escapes text in lists', () => {
    expect(html`${['<', ['>']]}`.text).toBe('&lt;&gt;');
  });
});
