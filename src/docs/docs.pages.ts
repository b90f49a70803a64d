import { ERRORS } from '../api/errors/error-codes';
import { crumbs, emptyState, table } from '../web/components';
import { html, type Html, type Piece } from '../web/html';
import { type Reader } from '../web/layout';
import { type Release } from './changelog';
import { contentIn, ERROR_GROUPS, GUIDES, type ErrorText, type Guide } from './content';
import { DOCS, groupName, searchForm } from './docs.layout';
import { renderInline, renderMarkdown } from './markdown';
import { contentLanguage, docsMessages } from './messages/docs-messages';
import { type ApiReference, type Operation } from './reference/api-reference';
import { CHINESE_GROUPS } from './reference/summaries';
import { type Entry } from './search-index';

/** Longer lists of operations are closed. */
const MAX_OPEN = 12;

/** Statuses of a code that errors have instead of the table's: safe retries, faults and overload. */
const OTHER_STATUSES: Readonly<Record<number, readonly number[]>> = { 999: [409, 422, 500, 503] };

/** Rows of the error table with a code; 1006 has two names. The first status is the usual one. */
export const rowsOf = (code: number) => {
  const rows = Object.values(ERRORS).filter((row) => row.code === code);
  const statuses = [rows[0]?.status, ...(OTHER_STATUSES[code] ?? [])];
  return { statuses, names: [...new Set(rows.map(({ msg }) => msg))] };
};

/** Names of all error codes. */
export const ERROR_NAMES: ReadonlyMap<number, readonly string[]> = new Map(
  Object.values(ERRORS).map(({ code }) => [code, rowsOf(code).names]),
);

const card = (href: string, title: string, text: string, lang?: string): Html =>
  html`<li>
    <a href="${href}"
      ><strong>${title}</strong>
      <span ${lang !== undefined && html`lang="${lang}"`}>${text}</span></a
    >
  </li>`;

/** The home page of the documentation. */
export function homeBody(reader: Reader, reference: ApiReference, baseUrl: string): Html {
  const words = docsMessages(reader);
  const language = contentLanguage(reader);
  const { guides } = contentIn(language);
  return html`<h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${searchForm(reader)}
    <h2>${words.start}</h2>
    <figure class="code">
      <figcaption>curl</figcaption>
      <pre tabindex="0"><code>curl '${baseUrl}/v2/book/1?fields=id,title,author,rating'</code></pre>
    </figure>
    <p>
      <a class="button" href="${DOCS.guide('first-request')}"
        >${guides.get('first-request')?.title}</a
      >
    </p>
    <h2>${words.guides}</h2>
    <ul class="doc-cards" lang="${language}">
      ${GUIDES.map((name) => {
        const guide = guides.get(name);
        return guide && card(DOCS.guide(name), guide.title, guide.description);
      })}
    </ul>
    <h2>${words.reference}</h2>
    <ul class="doc-cards">
      ${reference.groups.map(({ name, description }) => {
        const chinese = language === 'en' ? undefined : CHINESE_GROUPS[name];
        const lang = chinese === undefined ? 'en' : language;
        return card(DOCS.group(name), groupName(reader, name), chinese ?? description, lang);
      })}
    </ul>
    <p class="ways">
      <a href="${DOCS.errors}">${words.allErrors}</a>
      <a href="/v2/openapi.json">${words.openApi}</a>
      <a href="/admin/v1/openapi.json">${words.adminOpenApi}</a>
      <a href="${DOCS.changelog}">${words.changelog}</a>
    </p>`;
}

/** A guide. */
export function guideBody(reader: Reader, guide: Guide, baseUrl: string): Html {
  const text = guide.text.replaceAll('{base}', baseUrl);
  return html`<article class="docs-text" lang="${contentLanguage(reader)}">
    <h1>${guide.title}</h1>
    ${renderMarkdown(text)}
  </article>`;
}

/** The list of errors in groups. */
export function errorListBody(reader: Reader): Html {
  const words = docsMessages(reader).errors;
  const { allErrors } = docsMessages(reader);
  const language = contentLanguage(reader);
  const errors = [...contentIn(language).errors.values()];
  return html`<h1>${allErrors}</h1>
    <p class="lead">${words.lead}</p>
    ${searchForm(reader)}
    ${ERROR_GROUPS.map(
      (group) =>
        html`<h2>${words.groups[group]}</h2>
          ${table(
            words.groups[group],
            [
              { title: words.code },
              { title: words.name },
              { title: words.status },
              { title: words.meaning },
            ],
            errors
              .filter((error) => error.group === group)
              .map(({ code, meaning }) => {
                const { names, statuses } = rowsOf(code);
                const link = html`<a href="${DOCS.error(code)}">${code}</a>`;
                const shown = names.map((name) => html`<code lang="en">${name}</code> `);
                return [
                  link,
                  shown,
                  statuses.join(', '),
                  html`<span lang="${language}">${renderInline(meaning)}</span>`,
                ];
              }),
          )}`,
    )}`;
}

/** The operations that can return an error; nothing if there are none. */
function operationsWith(reader: Reader, { operations }: ApiReference, code: number): Piece {
  const words = docsMessages(reader);
  const found = operations.filter(({ errors }) => errors.some(({ codes }) => codes.includes(code)));
  if (found.length === 0) return undefined;
  const link = ({ id, group, method, path }: Operation): Html =>
    html`<li>
      <a href="${DOCS.operation(group, id)}"><code>${method} ${path}</code></a>
    </li>`;
  return html`<details class="fold" ${found.length <= MAX_OPEN && html`open`}>
    <summary>${words.errors.operations} (${found.length})</summary>
    <ul>
      ${found.map(link)}
    </ul>
  </details>`;
}

/** The page of an error code. @param type the `type` of its problem document */
export function errorPageBody(
  reader: Reader,
  reference: ApiReference,
  error: ErrorText,
  type: string,
): Html {
  const words = docsMessages(reader);
  const { names, statuses } = rowsOf(error.code);
  const [status] = statuses;
  const problem = { type, title: names[0], status, msg: names[0], code: error.code };
  return html`${crumbs(words.crumbs, [{ href: DOCS.errors, label: words.allErrors }])}
    <article class="docs-text">
      <h1>${words.errors.heading(error.code)}</h1>
      <p class="lead" lang="${contentLanguage(reader)}">${renderInline(error.meaning)}</p>
      <dl>
        <dt>${words.errors.name}</dt>
        <dd>${names.map((name) => html`<code lang="en">${name}</code> `)}</dd>
        <dt>${words.errors.status}</dt>
        <dd>${statuses.join(', ')}</dd>
      </dl>
      <div lang="${contentLanguage(reader)}">
        ${renderMarkdown(error.text.replace(/^###/gm, '##'))}
      </div>
      ${operationsWith(reader, reference, error.code)}
      <h2>${words.errors.problem}</h2>
      <pre tabindex="0"><code>${JSON.stringify(problem, null, 2)}</code></pre>
    </article>`;
}

/** The result of a search. */
export function searchBody(reader: Reader, query: string, found: readonly Entry[]): Html {
  const { search } = docsMessages(reader);
  const entry = ({ kind, title, detail, href }: Entry): Html =>
    html`<dt><a href="${href}">${title}</a> <span class="badge">${search.kinds[kind]}</span></dt>
      <dd>${detail}</dd>`;
  return html`<h1>${search.title}</h1>
    ${searchForm(reader, query)} ${query === '' && html`<p class="soft">${search.hint}</p>`}
    ${
      query !== '' &&
      (found.length === 0
        ? emptyState(search.none(query), search.hint)
        : html`<p class="soft" role="status">${search.count(found.length, query)}</p>
            <dl class="found">${found.map(entry)}</dl>`)
    }`;
}

/** The changelog, in English. */
export function changelogBody(reader: Reader, releases: readonly Release[]): Html {
  const words = docsMessages(reader);
  return html`<h1>${words.changelog}</h1>
    <p class="lead">${words.changelogLead}</p>
    <p class="ways">
      <a href="${DOCS.feed}">${words.feed}</a>
      <a href="${DOCS.guide('versions')}"
        >${contentIn(contentLanguage(reader)).guides.get('versions')?.title}</a
      >
    </p>
    <div class="docs-text" lang="en">
      ${releases.map(
        ({ version, date, text }) =>
          html`<section id="${version}">
            <h2>
              ${version}${date !== undefined && html` <small><time datetime="${date}">${date}</time></small>`}
            </h2>
            ${renderMarkdown(text, `${version}-`)}
          </section>`,
      )}
    </div>`;
}
