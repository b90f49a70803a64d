import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContentLanguage } from './messages/docs-messages';

/** Guides in the order of the navigation. */
export const GUIDES = [
  'first-request',
  'typescript-client',
  'keys-and-tokens',
  'limits',
  'lists-and-fields',
  'errors',
  'jsonp-and-cors',
  'pictures',
  'old-clients',
  'import',
  'versions',
] as const;

/** Last segment of the address of a guide. */
export type GuideName = (typeof GUIDES)[number];

export const isGuide = (name: string): name is GuideName =>
  (GUIDES as readonly string[]).includes(name);

/** A guide in one language. */
export interface Guide {
  readonly name: GuideName;
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly description: string;
  /** CommonMark after the title. `{base}` is the address of the service. */
  readonly text: string;
}

/** Files of errors, in the order of the list. */
export const ERROR_GROUPS = ['general', 'books', 'authorization', 'tokens'] as const;

export type ErrorGroup = (typeof ERROR_GROUPS)[number];

/** The explanation of an error code in one language. */
export interface ErrorText {
  readonly code: number;
  readonly group: ErrorGroup;
  /** One sentence of CommonMark. */
  readonly meaning: string;
  /** Causes and what to do, with headings of level 3. */
  readonly text: string;
}

/** Guides and explanations of errors in one language. */
export interface Content {
  readonly guides: ReadonlyMap<GuideName, Guide>;
  /** By code, in the order of the list. */
  readonly errors: ReadonlyMap<number, ErrorText>;
}

const FOLDER = join(__dirname, 'content');

const read = (language: ContentLanguage, file: string): string =>
  readFileSync(join(FOLDER, language, `${file}.md`), 'utf8');

/** CommonMark without marks of code and links. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

function readGuide(language: ContentLanguage, name: GuideName): Guide {
  const [, title = '', text = ''] = /^# (.+)\n([^]*)$/.exec(read(language, `guides/${name}`)) ?? [];
  const [first = ''] = text.trim().split('\n\n');
  return { name, title, description: plainText(first), text };
}

function readErrors(language: ContentLanguage, group: ErrorGroup): ErrorText[] {
  const [, ...sections] = read(language, `errors-${group}`).split(/^## /m);
  return sections.map((section) => {
    const [, code = '', meaning = '', text = ''] =
      /^(\d+)\n\n([^]*?)\n\n(###[^]*)$/.exec(section) ?? [];
    return { code: Number(code), group, meaning: meaning.replace(/\n/g, ' '), text };
  });
}

const loaded = new Map<ContentLanguage, Content>();

/** The texts of a language, read from files on first use. */
export function contentIn(language: ContentLanguage): Content {
  const existing = loaded.get(language);
  if (existing) return existing;
  const content: Content = {
    guides: new Map(GUIDES.map((name) => [name, readGuide(language, name)])),
    errors: new Map(
      ERROR_GROUPS.flatMap((group) => readErrors(language, group)).map((one) => [one.code, one]),
    ),
  };
  loaded.set(language, content);
  return content;
}
