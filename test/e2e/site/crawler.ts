import { type TestResponse, type Harness } from '../../harness';
import { BASE_URL, WEB_URL } from '../../settings';

/** Maximum bytes of a page. */
const MAX_PAGE = 60 * 1024;

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The path of an address on this service; undefined for other hosts. */
export function pathOnService(address: string, at: string): string | undefined {
  const { origin, pathname, search } = new URL(address, `${WEB_URL}${at}`);
  return [BASE_URL, WEB_URL].includes(origin) ? pathname + search : undefined;
}

/** Values of an attribute of all elements of a name. */
export const attributes = (text: string, element: string, attribute: string): string[] =>
  [...text.matchAll(new RegExp(`<${element}\\s(?:[^>]*?\\s)?${attribute}="([^"]*)"`, 'g'))].map(
    ([, value]) => decode(String(value)),
  );

/** Every text of a JSON value that is an address. */
export function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(addressesIn);
}

/** Faults of a page: what every page must have, and what none may have. */
export function faultsOf({ text, headers }: TestResponse): string[] {
  const title = /<title>([^<]+)<\/title>/.exec(text)?.[1]?.trim() ?? '';
  const checks: Readonly<Record<string, boolean>> = {
    'no title': title !== '',
    'no language': /<html lang="(en|zh-Hans|zh-Hant)">/.test(text),
    'too large': Buffer.byteLength(text) <= MAX_PAGE,
    'no heading': /<h1[ >]/.test(text),
    'an empty value': !/\bundefined\b|\[object Object\]|NaN/.test(text),
    'a loose policy':
      /script-src|unsafe/.test(headers.get('content-security-policy') ?? '') === false,
  };
  return Object.entries(checks).flatMap(([fault, isMet]) => (isMet ? [] : [fault]));
}

/** Faults of a page of the catalogue, which search engines read. */
export function catalogueFaultsOf({ text }: TestResponse): string[] {
  const description = attributes(text, 'meta name="description"', 'content')[0] ?? '';
  const canonical = attributes(text, 'link rel="canonical"', 'href');
  const checks: Readonly<Record<string, boolean>> = {
    'no description': description !== '',
    'no canonical address': canonical.length === 1,
    'no Open Graph': text.includes('property="og:title"'),
    'no other languages': attributes(text, 'link rel="alternate"', 'hreflang').length === 4,
    'a blocking request': (text.match(/<link rel="stylesheet"/g) ?? []).length === 1,
    'a picture without size': [...text.matchAll(/<img [^>]*>/g)].every(
      ([image]) =>
        / width="\d+"/.test(image) || text.includes('class="prose"') || text.includes('photo-page'),
    ),
  };
  return Object.entries(checks).flatMap(([fault, isMet]) => (isMet ? [] : [fault]));
}

/** The JSON-LD of a page. */
export const structuredData = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json]) => JSON.parse(String(json)) as Record<string, unknown>,
  );

/** Requests paths once each, and follows redirects on this service. */
export class Crawler {
  readonly pages = new Map<string, TestResponse>();
  readonly faults: string[] = [];
  private readonly queue: { path: string; from: string }[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly harness: Harness,
    private readonly isWanted: (path: string) => boolean,
  ) {}

  add(address: string, from: string): void {
    const path = pathOnService(address, from)?.replace(/#.*$/, '');
    if (path === undefined || this.seen.has(path) || !this.isWanted(path)) return;
    this.seen.add(path);
    this.queue.push({ path, from });
  }

  async run(): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let next = this.queue.shift(); next; next = this.queue.shift()) await this.visit(next);
    };
    while (this.queue.length > 0) await Promise.all([1, 2, 3, 4].map(worker));
  }

  private async visit({ path, from }: { path: string; from: string }): Promise<void> {
    const response = await this.harness.call(path, { headers: { accept: 'text/html' } });
    this.pages.set(path, response);
    if (response.status === 303) {
      this.add(String(response.headers.get('location')), path);
      return;
    }
    const fault = (text: string): number => this.faults.push(`${path} from ${from}: ${text}`);
    if (response.status !== 200) {
      fault(String(response.status));
      return;
    }
    if (!String(response.headers.get('content-type')).startsWith('text/html')) return;
    for (const text of faultsOf(response)) fault(text);
    for (const href of attributes(response.text, 'a', 'href')) this.add(href, path);
    for (const src of attributes(response.text, 'img', 'src')) this.add(src, path);
    for (const href of attributes(response.text, 'link', 'href')) this.add(href, path);
  }
}
