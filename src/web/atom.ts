import { escapeHtml } from '../text/markup';

/** Content type of feeds. */
export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** An entry of a feed. Addresses are absolute, times are instants. */
export interface AtomEntry {
  readonly url: string;
  readonly title: string;
  readonly author?: string;
  readonly published: Date;
  readonly updated?: Date;
  /** Plain text. */
  readonly summary: string;
}

/** A feed (RFC 4287). */
export interface AtomFeed {
  readonly title: string;
  /** Address of the feed. */
  readonly self: string;
  /** Address of the page with the same content. */
  readonly page: string;
  readonly lang?: string;
  readonly entries: readonly AtomEntry[];
}

// XML 1.0 has no form for these characters, not even escaped.
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes a text for XML content and attributes. Characters that XML forbids are removed. */
export const escapeXml = (text: string): string =>
  escapeHtml(text.toWellFormed().replace(FORBIDDEN, ''));

/** Writes a feed. Without entries its time of change is the start of 1970. */
export function atomFeed({ title, self, page, lang = 'zh', entries }: AtomFeed): string {
  const times = entries.map(({ published, updated }) => (updated ?? published).getTime());
  const latest = new Date(Math.max(0, ...times)).toISOString();
  const items = entries.map(
    ({ url, title: name, author = '', published, updated = published, summary }) => `
  <entry>
    <id>${escapeXml(url)}</id>
    <title>${escapeXml(name)}</title>
    <link href="${escapeXml(url)}"/>
    <author><name>${escapeXml(author || 'Commonplace')}</name></author>
    <published>${published.toISOString()}</published>
    <updated>${updated.toISOString()}</updated>
    <summary>${escapeXml(summary)}</summary>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(lang)}">
  <id>${escapeXml(self)}</id>
  <title>${escapeXml(title)}</title>
  <updated>${latest}</updated>
  <author><name>Commonplace</name></author>
  <link rel="self" href="${escapeXml(self)}" type="application/atom+xml"/>
  <link rel="alternate" href="${escapeXml(page)}" type="text/html"/>${items.join('')}
</feed>
`;
}
