import { html, type Html, type Piece } from '../../web/html';
import { badge } from '../../web/components';
import { type DocsMessages } from '../messages/docs-messages';
import { type ReferenceView } from './reference-view';
import { inlineDescription } from './translations';
import { membersOf, referenceOf, type Field, type Schema } from './api-reference';

/** Enumerations with more values are cut; the document has all of them. */
const MAX_VALUES = 12;

const objectLink = (name: string): Html => html`<a href="#object-${name}">${name}</a>`;

const joined = (pieces: readonly Piece[], separator: Piece): Piece[] =>
  pieces.flatMap((piece, at) => (at === 0 ? [piece] : [separator, piece]));

function valuesOf(values: readonly unknown[]): Piece {
  const shown = values.slice(0, MAX_VALUES).map((value) => html`<code>${String(value)}</code>`);
  return [joined(shown, ', '), values.length > MAX_VALUES && ' …'];
}

/** The type of a schema in words, with links to objects. */
export function typeOf(words: DocsMessages, schema: Schema): Piece {
  const { operation } = words;
  const reference = referenceOf(schema);
  if (reference !== undefined) return objectLink(reference);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    return joined(
      choices.map((choice) => typeOf(words, choice)),
      ` ${operation.or} `,
    );
  }
  if (schema.allOf) return schema.allOf.map((part) => typeOf(words, part));
  if (schema.enum) return valuesOf(schema.enum);
  if (schema.const !== undefined) return valuesOf([schema.const]);
  if (schema.items) return html`${operation.listOf} ${typeOf(words, schema.items)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return joined([...types], ` ${operation.or} `);
}

/** Limits of a value that its description may not have. */
function limitsOf({ minimum, maximum, default: preset }: Schema): string {
  const hasRange = minimum !== undefined && maximum !== undefined && maximum < 2 ** 31;
  return [
    hasRange ? `${minimum}–${maximum}` : '',
    preset === undefined ? '' : `= ${JSON.stringify(preset)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function rowsOf(view: ReferenceView, field: Field, prefix: string): Html[] {
  const { words, language } = view;
  const { operation } = words;
  const { place, required, schema } = field;
  const limits = limitsOf(schema);
  // Objects without a name of their own are shown in place.
  const inner = schema.properties ? membersOf(schema) : [];
  const isArgument = place !== undefined;
  const row = html`<tr>
    <td>
      <code>${prefix}${field.name}</code>
      ${isArgument && html`<small>${operation.places[place]}</small>`}
      ${isArgument === required && place !== 'path' && html`<small>${required ? operation.required : operation.optional}</small>`}
      ${field.deprecated && badge(operation.deprecated, 'warn')}
      ${field.extension && badge(operation.extension)}
    </td>
    <td>${typeOf(words, schema)}${limits !== '' && html` <small>${limits}</small>`}</td>
    <td>${inlineDescription(language, field.description)}</td>
  </tr>`;
  return [row, ...inner.flatMap((one) => rowsOf(view, one, `${prefix}${field.name}.`))];
}

/** A table of parameters or members. @param label name of the table for screen readers */
export function fieldsTable(view: ReferenceView, label: string, fields: readonly Field[]): Html {
  const { operation } = view.words;
  return html`<div class="table" tabindex="0" role="group" aria-label="${label}">
    <table class="fields narrow">
      <thead>
        <tr>
          <th scope="col">${operation.name}</th>
          <th scope="col">${operation.type}</th>
          <th scope="col">${operation.about}</th>
        </tr>
      </thead>
      <tbody>
        ${fields.map((field) => rowsOf(view, field, ''))}
      </tbody>
    </table>
  </div>`;
}

/** The schema of a body: a type, and a table if it is an object without a name. */
export function schemaSection(view: ReferenceView, label: string, schema: Schema): Piece {
  const members = referenceOf(schema) === undefined ? membersOf(schema) : [];
  if (members.length > 0) return fieldsTable(view, label, members);
  return html`<p>${typeOf(view.words, schema)}</p>`;
}
