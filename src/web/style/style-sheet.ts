import { createHash } from 'node:crypto';
import { type Response } from 'express';

/** A style sheet whose address contains a hash of its content. */
export interface StyleSheet {
  /** Path and query for `<link>`. */
  readonly address: string;
  readonly css: string;
  /** Value of the query parameter `v`. */
  readonly version: string;
}

/** Removes comments and spaces that CSS does not need. Strings must not contain them. */
const minify = (css: string): string =>
  css
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim();

/** @param path where a controller serves the sheet with {@link sendStyleSheet} */
export function styleSheet(path: string, ...parts: readonly string[]): StyleSheet {
  const css = minify(parts.join(''));
  const version = createHash('sha256').update(css).digest('hex').slice(0, 10);
  return { address: `${path}?v=${version}`, css, version };
}

/** Sends a style sheet. Browsers keep it for a year if they requested this version of it. */
export function sendStyleSheet(response: Response, sheet: StyleSheet, version: unknown): void {
  const isCurrent = version === sheet.version;
  response.setHeader(
    'Cache-Control',
    isCurrent ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
  );
  response.type('css').send(sheet.css);
}
