import { html, type Html, type Piece } from '../../web/html';
import { badge } from '../../web/components';
import { DOCS } from '../docs.layout';
import { contentIn } from '../content';
import { renderInline } from '../markdown';
import { type DocsMessages } from '../messages/docs-messages';
import { type ApiResponse, type Field, type Operation } from './api-reference';
import { fieldsTable, schemaSection } from './fields.page';
import { type ReferenceView } from './reference-view';
import { sampleOf, SAMPLE_LANGUAGES, SAMPLE_NAMES } from './samples';
import { CHINESE_SUMMARIES } from './summaries';
import { blockDescription } from './translations';

/** Example bodies are cut after this many characters. */
const MAX_EXAMPLE = 6000;

/** The summary of an operation with its language. */
export function summaryOf({ language }: ReferenceView, { id, summary }: Operation): Html {
  const chinese = language === 'en' ? undefined : CHINESE_SUMMARIES[id];
  return chinese === undefined
    ? html`<span lang="en">${renderInline(summary)}</span>`
    : html`<span lang="zh-Hans">${chinese}</span>`;
}

export const verb = (method: string): Html =>
  html`<span class="verb ${method === 'GET' ? '' : 'write'}">${method}</span>`;

/** The codes of a status with their meanings; its description if the document has no codes. */
function meaningsOf({ language }: ReferenceView, { codes, description }: ApiResponse): Piece {
  if (codes.length === 0) return html`<span lang="en">${renderInline(description)}</span>`;
  const { errors } = contentIn(language);
  return html`<ul class="codes" lang="${language}">
    ${codes.map(
      (code) =>
        html`<li>
          <a href="${DOCS.error(code)}">${code}</a> ${renderInline(errors.get(code)?.meaning ?? '')}
        </li>`,
    )}
  </ul>`;
}

function errorRows(view: ReferenceView, errors: readonly ApiResponse[]): Html {
  const { words } = view;
  return html`<div class="table" tabindex="0" role="group" aria-label="${words.operation.errors}">
    <table class="narrow">
      <thead>
        <tr>
          <th scope="col">${words.errors.status}</th>
          <th scope="col">${words.errors.meaning}</th>
        </tr>
      </thead>
      <tbody>
        ${errors.map(
          (response) =>
            html`<tr>
              <td><code>${response.status}</code></td>
              <td>${meaningsOf(view, response)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function exampleView(words: DocsMessages, example: unknown): Piece {
  if (example === undefined) return undefined;
  const json = JSON.stringify(example, null, 2);
  const shown = json.length > MAX_EXAMPLE ? `${json.slice(0, MAX_EXAMPLE)}\n…` : json;
  return html`<details class="fold">
    <summary>${words.operation.example}</summary>
    <pre tabindex="0"><code>${shown}</code></pre>
  </details>`;
}

function success(view: ReferenceView, operation: Operation): Piece {
  const { words } = view;
  const response = operation.success;
  if (!response) return undefined;
  const { schema, status, example } = response;
  const label = `${operation.id}: ${words.operation.response}`;
  return html`<h3>${words.operation.response} <code>${status}</code></h3>
    ${schema ? schemaSection(view, label, schema) : html`<p>${words.operation.noBody}</p>`}
    ${exampleView(words, example)}`;
}

function samples({ words, baseUrl }: ReferenceView, operation: Operation): Html[] {
  return SAMPLE_LANGUAGES.map(
    (language) =>
      html`<figure class="code sample ${language}">
        <figcaption>${words.operation.request}: ${SAMPLE_NAMES[language]}</figcaption>
        <pre tabindex="0"><code>${sampleOf(operation, language, baseUrl)}</code></pre>
      </figure>`,
  );
}

/** Members that the form takes from the credentials of the page. */
const CREDENTIALS = new Set(['client_id', 'client_secret']);

/** The name of a part; that of the first picture where the document has a pattern of names. */
const partName = (name: string): string =>
  /^\w+$/.test(name) ? name : name.startsWith('^image_') ? 'image_1' : '1';

const inputType = ({ schema }: Field): string => (schema.format === 'binary' ? 'file' : 'text');

function tryForm({ words }: ReferenceView, operation: Operation): Html {
  const { id, method, path, parameters, body } = operation;
  const names = new Set(parameters.map(({ name }) => name));
  // A name that is in the query and in the body is sent in the query.
  const members = (body?.fields ?? []).filter(
    ({ name }) => !names.has(name) && !(operation.access === 'client' && CREDENTIALS.has(name)),
  );
  const input = (field: Field): Html => {
    const place = field.place ?? 'body';
    const name = partName(field.name);
    const inputId = `${id}-${place}-${name}`;
    return html`<div>
      <label for="${inputId}">${name}</label>
      <input
        type="${inputType(field)}"
        id="${inputId}"
        name="${name}"
        data-in="${place}"
        ${field.required && html`required`}
        autocomplete="off"
        spellcheck="false"
      />
    </div>`;
  };
  return html`<details class="fold">
    <summary>${words.tryIt.title}</summary>
    <form class="try" data-method="${method}" data-path="${path}" data-access="${operation.access}">
      <noscript class="full">${words.tryIt.needsScript}</noscript>
      ${[...parameters.filter(({ place }) => place !== 'header'), ...members].map(input)}
      ${method !== 'GET' && html`<p class="full small soft">${words.tryIt.writes}</p>`}
      <p class="full"><button>${words.tryIt.send}</button></p>
      <output
        class="full"
        aria-label="${words.tryIt.result}"
        data-sending="${words.tryIt.sending}"
        data-failed="${words.tryIt.failed}"
      ></output>
    </form>
  </details>`;
}

/** One operation: access, parameters, body, response, errors, examples, and a form to try it. */
export function operationSection(view: ReferenceView, operation: Operation): Html {
  const { words } = view;
  const { id, method, path, parameters, body, errors } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">
      <a href="#${id}">${summaryOf(view, operation)}</a>
      ${operation.deprecated && badge(words.operation.deprecated, 'warn')}
      ${operation.extension && badge(words.operation.extension)}
    </h2>
    <p class="path">${verb(method)}${path}</p>
    ${blockDescription(view.language, operation.description)} ${samples(view, operation)}
    ${
      parameters.length > 0 &&
      html`<h3>${words.operation.parameters}</h3>
        ${fieldsTable(view, `${id}: ${words.operation.parameters}`, parameters)}`
    }
    ${
      body &&
      html`<h3>${words.operation.body}</h3>
        <p class="small soft">${words.operation.bodyTypes(body.types.join(', '))}</p>
        ${fieldsTable(view, `${id}: ${words.operation.body}`, body.fields)}`
    }
    ${success(view, operation)}
    ${
      errors.length > 0 &&
      html`<h3>${words.operation.errors}</h3>
        ${errorRows(view, errors)}`
    }
    ${tryForm(view, operation)}
  </section>`;
}
