import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, type Html } from '../../web/html';
import { renderInline, renderMarkdown } from '../markdown';
import { type ContentLanguage } from '../messages/docs-messages';

/** Files with one sentence a line, in English and in Chinese: `English. = 中文。` */
const FOLDER = join(__dirname, '../content/zh-Hans/descriptions');

/** Nouns in sentences that many descriptions share. */
const NOUNS: Readonly<Record<string, string>> = {
  album: '相册',
  annotation: '笔记',
  author: '作者',
  book: '图书',
  celebrity: '影人',
  city: '城市',
  collection: '收藏',
  comment: '短评',
  event: '活动',
  'film or series': '电影或剧集',
  loc: '城市',
  note: '日记',
  photo: '照片',
  reply: '回复',
  review: '评论',
  'reviewed film or series': '所评电影或剧集',
  series: '丛书',
  subject: '电影或剧集',
  tag: '标签',
  user: '用户',
  work: '作品',
};

const singular = (noun: string): string =>
  noun in NOUNS ? noun : noun.replace(/ies$/, 'y').replace(/s$/, '');

/** Sentences that differ in a noun, a number or a scope. */
const PATTERNS: readonly (readonly [RegExp, (value: string) => string | undefined])[] = [
  [/^Id of the ([a-z ]+): digits\.$/, withNoun((noun) => `${noun}的 id：数字。`)],
  [/^Id of the ([a-z ]+)\.$/, withNoun((noun) => `${noun}的 id。`)],
  [/^URL of the page of the ([a-z ]+)\.$/, withNoun((noun) => `${noun}页面的 URL。`)],
  [
    /^The ([a-z]+) of this page, at most 100\.$/,
    withNoun((noun) => `本页的${noun}，最多 100 个。`),
  ],
  [/^Number of ([a-z]+)\.$/, withNoun((noun) => `${noun}数。`)],
  [/^At most ([\d,]+) characters\.$/, (count) => `最多 ${count} 个字符。`],
  [/^At most ([\d,]+) elements\.$/, (count) => `最多 ${count} 个元素。`],
  [
    /^Requires a token of a user with the scope `(\w+)`\.$/,
    (scope) => `需要有权限范围 \`${scope}\` 的用户令牌。`,
  ],
  [
    /^Requires a token with the scope `(\w+)`\.$/,
    (scope) => `需要有权限范围 \`${scope}\` 的令牌。`,
  ],
];

function withNoun(write: (noun: string) => string): (value: string) => string | undefined {
  return (value) => {
    const noun = NOUNS[singular(value)];
    return noun === undefined ? undefined : write(noun);
  };
}

let loaded: ReadonlyMap<string, string> | undefined;

/** The sentences of all files, read on first use. */
function sentences(): ReadonlyMap<string, string> {
  loaded ??= new Map(
    readdirSync(FOLDER)
      .flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').trim().split('\n'))
      .map((line) => {
        const [english = '', chinese = ''] = line.split(/(?<=\.) = /);
        return [english, chinese] as const;
      }),
  );
  return loaded;
}

/** The sentences of a description. */
export const sentencesOf = (description: string): string[] =>
  description.split(/(?<=\.)\s+(?=[A-Z`<\d])/);

/** A sentence in simplified Chinese; undefined without a translation. */
export function chineseSentence(english: string): string | undefined {
  const fixed = sentences().get(english);
  if (fixed !== undefined) return fixed;
  for (const [pattern, write] of PATTERNS) {
    const [, value] = pattern.exec(english) ?? [];
    if (value !== undefined) return write(value);
  }
  return undefined;
}

/** A description in simplified Chinese; undefined unless every sentence has a translation. */
function chineseOf(description: string): string | undefined {
  const translated = sentencesOf(description).map(chineseSentence);
  return translated.includes(undefined) ? undefined : translated.join('');
}

/** A description of the document in a language, in English if it has no translation. */
export function descriptionIn(language: ContentLanguage, english: string): string {
  return (language === 'en' ? undefined : chineseOf(english)) ?? english;
}

/** The language of {@link descriptionIn}. */
const languageOf = (english: string, shown: string): ContentLanguage =>
  english === shown ? 'en' : 'zh-Hans';

/** A description as a line of CommonMark, with its language. */
export function inlineDescription(language: ContentLanguage, english: string): Html {
  const shown = descriptionIn(language, english);
  return html`<span lang="${languageOf(english, shown)}">${renderInline(shown)}</span>`;
}

/** A description as paragraphs of CommonMark, with its language. */
export function blockDescription(language: ContentLanguage, english: string): Html {
  const shown = descriptionIn(language, english);
  return html`<div lang="${languageOf(english, shown)}">${renderMarkdown(shown)}</div>`;
}
