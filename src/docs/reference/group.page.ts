import { html, type Html } from '../../web/html';
import { membersOf, referredObjects, type ApiReference } from './api-reference';
import { credentialsSection } from './credentials.page';
import { fieldsTable } from './fields.page';
import { operationSection, summaryOf, verb } from './operation.page';
import { type ReferenceView } from './reference-view';
import { SAMPLE_LANGUAGES, SAMPLE_NAMES } from './samples';
import { CHINESE_GROUPS } from './summaries';
import { blockDescription } from './translations';

/** The language of all examples of a page. It works without scripts. */
function languageChoice({ words }: ReferenceView): Html {
  return html`<fieldset class="choice-bar">
    <legend>${words.operation.language}</legend>
    ${SAMPLE_LANGUAGES.map(
      (language, at) =>
        html`<label class="choice" for="code-${language}">
          <input
            type="radio"
            name="code"
            id="code-${language}"
            value="${language}"
            ${at === 0 && html`checked`}
          />
          ${SAMPLE_NAMES[language]}
        </label>`,
    )}
  </fieldset>`;
}

function objectView(view: ReferenceView, reference: ApiReference, name: string): Html {
  const schema = reference.objects.get(name) ?? {};
  return html`<section class="object" id="object-${name}" aria-labelledby="object-${name}-title">
    <h3 id="object-${name}-title"><a href="#object-${name}">${name}</a></h3>
    ${schema.description !== undefined && blockDescription(view.language, schema.description)}
    ${fieldsTable(view, name, membersOf(schema))}
  </section>`;
}

/** The reference of a group: its operations, and the objects that they refer to. */
export function groupBody(
  view: ReferenceView,
  reference: ApiReference,
  group: { readonly name: string; readonly title: string; readonly description: string },
): Html {
  const { words, language } = view;
  const operations = reference.operations.filter((one) => one.group === group.name);
  const schemas = operations.flatMap(({ success, body, parameters }) => [
    success?.schema,
    body?.fields.map(({ schema }) => schema),
    parameters.map(({ schema }) => schema),
  ]);
  const objects = referredObjects(schemas, reference.objects);
  const chinese = language === 'en' ? undefined : CHINESE_GROUPS[group.name];
  return html`<h1>${group.title}</h1>
    <p class="lead" lang="${chinese === undefined ? 'en' : 'zh-Hans'}">
      ${chinese ?? group.description}
    </p>
    <ul class="operations">
      ${operations.map(
        (operation) =>
          html`<li>
            <a href="#${operation.id}"
              ><code>${verb(operation.method)}${operation.path}</code
              >${summaryOf(view, operation)}</a
            >
          </li>`,
      )}
    </ul>
    ${credentialsSection(
      words,
      operations.some(({ access }) => access === 'client'),
    )}
    ${languageChoice(view)} ${operations.map((operation) => operationSection(view, operation))}
    ${
      objects.length > 0 &&
      html`<h2 id="objects">${words.operation.objects}</h2>
        ${objects.map((name) => objectView(view, reference, name))}`
    }`;
}
