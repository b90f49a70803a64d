import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../text/markup';
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

/** Reads a changelog in the format of Keep a Changelog 1.1.0, latest release first. */
export function readChangelog(markdown: string): Release[] {
  const [, ...sections] = markdown.split(/^## /m);
  return sections.map((section) => {
    const [, version = '', , date] =
      /^\[?([^\s\]]+)\]?( - (\d{4}-\d{2}-\d{2}))?/.exec(section) ?? [];
    return { version, date, text: section.slice(section.indexOf('\n')).trim() };
  });
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
    return `  <entry>
    <id>${escapeHtml(link)}</id>
    <title>Commonplace ${escapeHtml(version)}</title>
    <updated>${instant(date)}</updated>
    <link href="${escapeHtml(link)}" />
    <content type="html">${escapeHtml(renderMarkdown(text).text)}</content>
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
