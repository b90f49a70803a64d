import { rangesOf } from './header-ranges';

/** Media ranges with which clients ask for the JSON of an error. */
const JSON_RANGES = /^application\/(json|problem\+json|\*)$/;

/**
 * Whether an `Accept` header prefers HTML to JSON (D115): it names `text/html`, with a higher weight
 * than JSON. Wildcards do not ask for HTML. A bare `*` is no media range; Java's HttpURLConnection
 * sends it after `text/html` with every request, so such a header does not ask for HTML either.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false;
  const ranges = rangesOf(accept);
  if (ranges.some(({ name }) => name === '*')) return false;
  const weightOf = (type: RegExp): number =>
    Math.max(0, ...ranges.filter(({ name }) => type.test(name)).map(({ weight }) => weight));
  return weightOf(/^text\/html$/) > weightOf(JSON_RANGES);
}
