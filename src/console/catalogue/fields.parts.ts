import { type MemberType } from '../../admin/records/record-members';
import { notice } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { type MemberText } from '../messages/records';
import { type RecordErrors } from './record-errors';
import {
  digestOf,
  membersOf,
  type FormTexts,
  type RecordField,
  type RecordMember,
} from './record-form';
import { fieldText, hasLines } from './record-values';

/** Prefix of the fields of records, whose names could be those of other fields. */
export const FIELD_PREFIX = 'member.';

/** Prefix of the hidden fields with the digests of the shown texts. */
export const SHOWN_PREFIX = 'shown.';

/** The label and the help of a member; its name when it has no description. */
export function memberText({ words }: ConsoleSession, type: string, name: string): MemberText {
  const types: Readonly<Record<string, Readonly<Record<string, MemberText>>>> =
    words.records.members;
  return types[type]?.[name] ?? [words.records.others[name] ?? name, ''];
}

const partText = ({ words }: ConsoleSession, part: string): string => {
  const parts: Readonly<Record<string, string>> = words.records.parts;
  return parts[part] ?? part;
};

const valueText = ({ words }: ConsoleSession, value: string): string =>
  words.records.values[value] ?? value;

/** Attributes of the input of a type, for values that it can show; others are edited as text. */
const INPUTS: Partial<Record<MemberType, readonly [attributes: Html, shows: RegExp]>> = {
  url: [html`type="text" inputmode="url"`, /^/],
  id: [html`type="text" inputmode="numeric"`, /^/],
  year: [html`type="text" inputmode="numeric" pattern="[0-9]{4}" maxlength="4"`, /^(\d{4})?$/],
  count: [html`type="number" min="0" max="1000000000"`, /^\d*$/],
  rating: [html`type="number" min="0" max="10" step="0.1"`, /^(\d+(\.\d)?)?$/],
  stars: [html`type="number" min="0" max="50" step="5"`, /^\d*$/],
  time: [html`type="datetime-local" step="1"`, /^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?)?$/],
};
const LINE: readonly [Html, RegExp] = [html`type="text"`, /^/];
const MAX_ROWS = 12;

/** Types whose inputs take a row of their own. */
const WIDE: ReadonlySet<MemberType> = new Set(['text', 'people', 'counts']);

/** What a form shows in its fields. */
export interface ShownForm {
  /** The texts of a form that is shown again; undefined for stored values. */
  readonly textOf: FormTexts;
  readonly errors: RecordErrors;
}

/** A form with the stored values. */
export const STORED_FORM: ShownForm = { textOf: () => undefined, errors: new Map() };

/** The id of the first input of a member, for links to it. */
export const fieldId = (name: string): string => `field-${name}`;

function input(
  session: ConsoleSession,
  { name, type, choices }: RecordField,
  value: string,
  hasError: boolean,
): Html {
  const [member = ''] = name.split('.');
  const field = html`id="${fieldId(name)}" name="${FIELD_PREFIX}${name}"
  aria-describedby="about-${name}${hasError && ` error-${member}`}"
  ${hasError && html`aria-invalid="true"`}`;
  if (type === 'choice') {
    const all = choices.includes(value) ? choices : [value, ...choices];
    return html`<select ${field}>
      ${all.map((one) => html`<option value="${one}" ${one === value && html`selected`}>${one === '' ? '–' : valueText(session, one)}</option>`)}
    </select>`;
  }
  if (hasLines(type)) {
    const rows = Math.min(MAX_ROWS, value.split('\n').length + 1);
    return html`<textarea ${field} rows="${rows}">${value}</textarea>`;
  }
  const [attributes, shows] = INPUTS[type] ?? LINE;
  return html`<input ${shows.test(value) ? attributes : LINE[0]} ${field} value="${value}" />`;
}

/** The sentence about an invalid member. */
const problem = (name: string, errors: RecordErrors): Piece =>
  errors.has(name) && html`<p class="field-error" id="error-${name}">${errors.get(name)}</p>`;

/** The inputs of a member, each with its label and help. */
export function memberFields(
  session: ConsoleSession,
  type: string,
  { name, fields }: RecordMember,
  { textOf, errors }: ShownForm,
): Html {
  const [label, help] = memberText(session, type, name);
  const { formats } = session.words.records;
  const labelled = (field: RecordField, title: Piece, about: Piece, error?: Piece): Html => {
    const isWide = WIDE.has(field.type);
    const digest = digestOf(field.type, field.stored);
    return html`<div ${isWide && html`class="wide"`}>
      <label for="${fieldId(field.name)}">${title}</label>
      <small class="hint" id="about-${field.name}">${about}</small>
      <input type="hidden" name="${SHOWN_PREFIX}${field.name}" value="${digest}" />
      ${error} ${input(session, field, textOf(field.name) ?? field.stored, errors.has(name))}
    </div>`;
  };
  const [first] = fields;
  if (first && first.part === undefined) {
    const about = html`${help} ${formats[first.type]} <code>${name}</code>`;
    return labelled(first, label, about, problem(name, errors));
  }
  return html`<fieldset class="wide" id="${fieldId(name)}">
    <legend>${label}</legend>
    <small class="hint">${help} <code>${name}</code></small>
    ${problem(name, errors)}
    <div class="fields">
      ${fields.map((field) => labelled(field, partText(session, field.part ?? ''), formats[field.type]))}
    </div>
  </fieldset>`;
}

/** Links to the invalid members of a form, with what is wrong with each. */
export const errorSummary = (session: ConsoleSession, type: string, errors: RecordErrors): Piece =>
  errors.size > 0 &&
  notice(
    'error',
    html`<p><strong>${session.words.catalogue.invalid}</strong></p>
      <ul>
        ${[...errors].map(([name, sentence]) => html`<li>${name !== '' && html`<a href="#${fieldId(name)}">${memberText(session, type, name)[0]}</a>: `}${sentence}</li>`)}
      </ul>`,
  );

/** A value in the words of the reader: lists by lines, objects by the parts that differ. */
function shownValue(
  session: ConsoleSession,
  type: string,
  name: string,
  [value, other]: readonly [unknown, unknown],
): string {
  const description = membersOf(type)[name];
  if (description?.parts && typeof value === 'object' && value !== null) {
    const [object, before] = [value, other ?? {}] as Record<string, unknown>[];
    return Object.keys(description.parts)
      .map((part) => [part, fieldText(object?.[part])] as const)
      .filter(([part, text]) => text !== '' && text !== fieldText(before?.[part]))
      .map(([part, text]) => session.words.records.part(partText(session, part), text))
      .join('\n');
  }
  const text = fieldText(value);
  return description?.type === 'choice' ? valueText(session, text) : text;
}

/** Two states of a record: the members that differ, before and after. */
export function memberDifferences(
  session: ConsoleSession,
  type: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Html[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const old = shownValue(session, type, name, [before[name], after[name]]);
    const fresh = shownValue(session, type, name, [after[name], before[name]]);
    if (old === fresh) return [];
    return html`<div class="difference">
      <strong>${memberText(session, type, name)[0]}</strong>
      ${old !== '' && html`<del>${old}</del>`} ${fresh !== '' && html`<ins>${fresh}</ins>`}
    </div>`;
  });
}
