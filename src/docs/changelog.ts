import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../text/markup';
import { DOCS } from './docs.layout';
import { renderMarkdown } from './markdown';

/** One version of the changelog. */
export interface Release {
  /** Such as `1.0.0`; `Unreleased` before a release. */
  readonly version: string;
  /** `yyyy-MM-dd`; undefined before the release. */
  readonly date: string | undefined;
  /** CommonMark. */
  readonly text: string;
}

/** Pages about files of the repository, which the changelog links to. */
const PAGES: Readonly<Record<string, string>> = {
  'docs/versioning.md': DOCS.guide('versions'),
};

/** Replaces links to files of the repository by links to their pages, or by their text. */
const withPages = (markdown: string): string =>
  markdown.replace(
    /\[([^\]]*)\]\((?![a-z]+:|[/#])([^)#]*)[^)]*\)/g,
    (_link, text: string, file) => {
      const page = PAGES[String(file)];
      return page === undefined ? text : `[${text}](${page})`;
    },
  );

/**
 * Reads a changelog in the format of Keep a Changelog 1.1.0, latest release first. Sections without
 * text are omitted.
 */
export function readChangelog(markdown: string): Release[] {
  const [, ...sections] = markdown.split(/^## /m);
  return sections
    .map((section) => {
      const [, version = '', , date] =
        /^\[?([^\s\]]+)\]?( - (\d{4}-\d{2}-\d{2}))?/.exec(section) ?? [];
      return { version, date, text: withPages(section.slice(section.indexOf('\n')).trim()) };
    })
    .filter(({ text }) => text !== '');
}

let releases: readonly Release[] | undefined;

/** The releases in the file `CHANGELOG.md` of the program. */
export function changelog(): readonly Release[] {
  releases ??= readChangelog(readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8'));
  return releases;
}

/** The changelog as an Atom feed (RFC 4287) with an entry for each release. */
export function changelogFeed(all: readonly Release[], baseUrl: string, address: string): string {
  const released = all.filter(({ date }) => date !== undefined);
  const instant = (date = '1970-01-01'): string => `${date}T00:00:00Z`;
  const entries = released.map(({ version, date, text }) => {
    const link = `${baseUrl}/docs/changelog#${version}`;
    // Readers of feeds have no address to resolve links against.
    const content = renderMarkdown(text.replaceAll('](/', `](${baseUrl}/`)).text;
    return `  <entry>
    <id>${escapeHtml(link)}</id>
    <title>Commonplace ${escapeHtml(version)}</title>
    <updated>${instant(date)}</updated>
    <link href="${escapeHtml(link)}" />
    <content type="html">${escapeHtml(content)}</content>
  </entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${escapeHtml(`${baseUrl}/docs/changelog`)}</id>
  <title>Commonplace changelog</title>
  <updated>${instant(released[0]?.date)}</updated>
  <author><name>Commonplace</name></author>
  <link rel="self" type="application/atom+xml" href="${escapeHtml(baseUrl + address)}" />
  <link rel="alternate" type="text/html" href="${escapeHtml(`${baseUrl}/docs/changelog`)}" />
${entries.join('\n')}
</feed>
`;
}
