import { contentIn, plainText, type Content } from './content';
import { DOCS } from './docs.layout';
import { slugOf } from './markdown';
import { type ContentLanguage } from './messages/docs-messages';
import {
  membersOf,
  referredObjects,
  type ApiReference,
  type Field,
} from './reference/api-reference';
import { CHINESE_SUMMARIES } from './reference/summaries';
import { descriptionIn } from './reference/translations';

/** A result of a search. */
export interface Entry {
  readonly kind: 'operation' | 'parameter' | 'member' | 'error' | 'guide';
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

interface Indexed extends Entry {
  /** Title and all searched text in lower case. */
  readonly name: string;
  readonly text: string;
  /** The operation's `operationId` in lower case. */
  readonly id?: string;
}

/** Common parameters and members match many times: guides come after this number of each. */
const MAX_REPEATED_FIRST = 3;

/** A search returns at most this many entries. */
const MAX_FOUND = 60;

const WEIGHTS: Readonly<Record<Entry['kind'], number>> = {
  operation: 0,
  guide: 1,
  error: 2,
  member: 3,
  parameter: 4,
};

const indexed = (entry: Entry, ...more: readonly string[]): Indexed => ({
  ...entry,
  name: entry.title.toLowerCase(),
  text: [entry.title, entry.detail, ...more].join(' ').toLowerCase(),
});

function* guideEntries({ guides }: Content): Iterable<Indexed> {
  for (const { name, title, description, text } of guides.values()) {
    const [, ...sections] = text.split(/^## /m);
    const href = DOCS.guide(name);
    yield indexed({ kind: 'guide', title, detail: description, href }, plainText(text));
    for (const section of sections) {
      const heading = plainText(section.slice(0, section.indexOf('\n')));
      const body = plainText(section.slice(section.indexOf('\n')));
      const entry = { kind: 'guide', title: `${title}: ${heading}`, detail: '' } as const;
      yield indexed({ ...entry, href: `${href}#${slugOf(heading)}` }, body);
    }
  }
}

/** What the entries of members share. */
interface MemberPage {
  readonly href: string;
  readonly kind: 'member' | 'parameter';
  readonly language: ContentLanguage;
}

function* memberEntries(
  fields: readonly Field[],
  prefix: string,
  page: MemberPage,
): Iterable<Indexed> {
  const { href, kind, language } = page;
  for (const { name, description, schema } of fields) {
    const title = `${prefix}${name}`;
    yield indexed(
      { kind, title, detail: plainText(descriptionIn(language, description)), href },
      (schema.enum ?? []).join(' '),
      plainText(description),
    );
    if (schema.properties) yield* memberEntries(membersOf(schema), `${title}.`, page);
    if (schema.items?.properties) {
      yield* memberEntries(membersOf(schema.items), `${title}.`, page);
    }
  }
}

function* referenceEntries(reference: ApiReference, language: ContentLanguage): Iterable<Indexed> {
  for (const operation of reference.operations) {
    const { id, method, path, group, summary, parameters, body, success } = operation;
    const href = DOCS.operation(group, id);
    const title = `${method} ${path}`;
    const detail = (language === 'en' ? undefined : CHINESE_SUMMARIES[id]) ?? plainText(summary);
    // Paths are also found with parameters in the notation of the specification.
    const other = path.replace(/\{(\w+)\}/g, ':$1');
    const entry = indexed({ kind: 'operation', title, detail, href }, id, summary, other);
    yield { ...entry, id: id.toLowerCase() };
    yield* memberEntries([...parameters, ...(body?.fields ?? [])], `${title}: `, {
      href,
      kind: 'parameter',
      language,
    });
    const schema = success?.schema;
    if (schema?.properties) {
      const page = { href, kind: 'member', language } as const;
      yield* memberEntries(membersOf(schema), `${title}: `, page);
    }
  }
  const shown = new Set<string>();
  for (const { name: group } of reference.groups) {
    const schemas = reference.operations.filter((one) => one.group === group);
    for (const name of referredObjects(
      schemas.map(({ success }) => success),
      reference.objects,
    )) {
      if (shown.has(name)) continue;
      shown.add(name);
      const href = DOCS.object(group, name);
      const schema = reference.objects.get(name) ?? {};
      yield indexed({
        kind: 'member',
        title: name,
        detail: plainText(descriptionIn(language, schema.description ?? '')),
        href,
      });
      yield* memberEntries(membersOf(schema), `${name}.`, { href, kind: 'member', language });
    }
  }
}

/** Names of error codes, which the index needs besides their explanations. */
export type ErrorNames = ReadonlyMap<number, readonly string[]>;

/** Finds operations, parameters, members, errors and guides by words. */
export class SearchIndex {
  private readonly entries: readonly Indexed[];

  constructor(reference: ApiReference, language: ContentLanguage, names: ErrorNames) {
    const content = contentIn(language);
    const errors = [...content.errors.values()].map(({ code, meaning, text }) => {
      const title = [String(code), ...(names.get(code) ?? [])].join(' ');
      const detail = plainText(meaning);
      return indexed({ kind: 'error', title, detail, href: DOCS.error(code) }, plainText(text));
    });
    this.entries = [...errors, ...guideEntries(content), ...referenceEntries(reference, language)];
  }

  /** The entries that contain all words of a query, the best first; at most 60. */
  find(query: string): readonly Entry[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const found = this.entries
      .filter(({ text }) => words.every((word) => text.includes(word)))
      .map((entry) => ({ entry, rank: rankOf(entry, words) }))
      .sort((one, other) => one.rank - other.rank);
    const ofKind = (kind: Entry['kind']) => found.filter(({ entry }) => entry.kind === kind);
    const later = new Set([
      ...ofKind('member').slice(MAX_REPEATED_FIRST),
      ...ofKind('parameter').slice(MAX_REPEATED_FIRST),
    ]);
    return [...found.filter((one) => !later.has(one)), ...later]
      .slice(0, MAX_FOUND)
      .map(({ entry }) => entry);
  }
}

/**
 * The operation with the searched id first; then words at the ends of names, then elsewhere in
 * names, then in texts; within these by kind.
 */
function rankOf({ name, kind, id }: Indexed, words: readonly string[]): number {
  if (words.length === 1 && words[0] === id) return -1;
  const parts = name.split(/[\s:.]+/);
  const isPart = words.every((word) => parts.includes(word));
  const isIn = words.every((word) => name.includes(word));
  const level = isPart ? 0 : isIn ? 1 : 2;
  return level * 10 + WEIGHTS[kind];
}
