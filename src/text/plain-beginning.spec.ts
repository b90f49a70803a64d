import { EXCERPT_SOURCE } from './head';
import { plainBeginning, plainText } from './markup';

describe('plainBeginning', () => {
  const LONG = '人非草木，孰能无情。'.repeat(EXCERPT_SOURCE);

  it.each([
    ['a short text', 'a <原文开始>b</原文结束> c'],
    ['text', LONG],
    ['a long quotation', `<原文开始>${LONG}</原文结束> c`],
    ['code in long text', `<代码开始 lang="c">${LONG}</代码结束>`],
    ['a formula that closes late', `a <tex>${LONG}</tex>`],
    ['a formula in a long quotation', `<原文开始>a <tex>${LONG}</tex></原文结束>`],
    ['a mark that never closes', `<原文开始>${LONG}`],
    ['emoji', `a${'\u{1f600}'.repeat(EXCERPT_SOURCE)}`],
  ])('begins like the whole text: %s', (_, content) => {
    const beginning = plainBeginning(content);
    const text = plainText(content);
    expect(text.startsWith(beginning.replace(/…$/, ''))).toBe(true);
    expect(beginning.length).toBeGreaterThanOrEqual(Math.min(text.length, 900));
    expect(beginning.isWellFormed()).toBe(true);
  });

  it('has no part of a word at its end', () => {
    const padding = '人'.repeat(EXCERPT_SOURCE - 5);
    expect(plainBeginning(`${padding}<b> analysis`)).toBe(`${padding}<b>…`);
    expect(plainBeginning(`${padding}anal ysis`)).toBe(`${padding}anal…`);
  });

  it('reads no more than the beginning, which the time of parsing does not depend on', () => {
    expect(plainBeginning(`a${'<原文开始></原文结束>'.repeat(3000)} b`)).toBe('a…');
  });
});
