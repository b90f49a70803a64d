import { messagesFor, withoutLanguage } from './language';

const languageOf = (language: string | undefined, cookie?: string): string =>
  messagesFor({ headers: { 'accept-language': language, cookie } }).lang;

describe('language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de-DE,de;q=0.9', 'en'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['english', 'en'],
    ['zh', 'zh-Hans'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['ZH-TW', 'zh-Hant'],
    ['zh-HK,zh;q=0.9,en;q=0.8', 'zh-Hant'],
    ['zh-MO', 'zh-Hant'],
    ['zh-Hant', 'zh-Hant'],
    ['zh-Hant-CN', 'zh-Hant'],
    ['zh-yue-HK', 'zh-Hant'],
    ['de,zh-TW;q=0.9,zh;q=0.8,en;q=0.7', 'zh-Hant'],
    ['en;q=0.5, zh-TW;q=0.8', 'zh-Hant'],
    ['zh;q=0, en;q=0.1', 'en'],
    ['zh;q=x', 'en'],
    ['zh,'.repeat(20_000), 'en'],
  ])('for Accept-Language %.40s is %s', (header, lang) => {
    expect(languageOf(header)).toBe(lang);
  });

  it.each([
    ['commonplace_language=zh-Hant', 'zh-Hant'],
    ['a=b; __Host-commonplace_language=zh-Hans; c=d', 'zh-Hans'],
    ['commonplace_language=en; __Host-commonplace_language=zh-Hant', 'zh-Hant'],
    ['commonplace_language=', 'en'],
    ['commonplace_language=fr', 'en'],
    ['commonplace_language=__proto__', 'en'],
    ['commonplace_language=%', 'en'],
    ['other_commonplace_language=zh-Hant', 'en'],
  ])('with the cookie %s is %s', (cookie, lang) => {
    expect(languageOf(undefined, cookie)).toBe(lang);
  });

  it('is that of the cookie regardless of Accept-Language', () => {
    expect(languageOf('zh-CN', 'commonplace_language=en')).toBe('en');
  });
});

describe('language in an address', () => {
  it.each([
    ['/docs?lang=zh-Hant', 'zh-Hant', '/docs'],
    ['/docs?a=1&lang=zh-Hans&b=2', 'zh-Hans', '/docs?a=1&b=2'],
    ['/docs?lang=fr', 'en', '/docs'],
    ['/docs?lang=zh-Hans&lang=zh-Hant', 'zh-Hans', '/docs'],
    // Part of a value.
    ['/docs?q=word?lang=zh-Hans', 'en', '/docs?q=word?lang=zh-Hans'],
    ['/docs/&lang=zh-Hans', 'en', '/docs/&lang=zh-Hans'],
  ])('of %s is %s', (url, lang, rest) => {
    expect([messagesFor({ headers: {}, url }).lang, withoutLanguage(url)]).toEqual([lang, rest]);
  });
});
