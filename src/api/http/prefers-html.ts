import { rangesOf, type HeaderRange } from './header-ranges';

const weightOf = (ranges: readonly HeaderRange[], type: RegExp): number =>
  Math.max(0, ...ranges.filter(({ name }) => type.test(name)).map(({ weight }) => weight));

/**
 * Whether an `Accept` header prefers HTML to JSON (D115): it names `text/html`, with a higher weight
 * than JSON, and does not accept RFC 9457. Wildcards do not ask for HTML. A bare `*` is no media
 * range; Java's HttpURLConnection sends it after `text/html` with every request, so such a header
 * does not ask for HTML either.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false;
  const ranges = rangesOf(accept);
  if (ranges.some(({ name }) => name === '*')) return false;
  if (weightOf(ranges, /^application\/problem\+json$/) > 0) return false;
  return weightOf(ranges, /^text\/html$/) > weightOf(ranges, /^application\/(json|\*)$/);
}
