import { type Page } from '../../api/resources/page';
import { type AuditRow } from '../../audit/audit.repository';
import { type WireRecord } from '../../import-export/engine/editing';
import { RECORD_STATES, type RecordRow } from '../../import-export/engine/record-lists';
import { badge, crumbs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleVisit } from '../access/console-sessions.service';
import {
  buttonForm,
  consolePage,
  hiddenField,
  pager,
  select,
  tableOrNone,
  textInput,
} from '../layout';
import { changesTable, differences } from '../log/log.pages';
import { shownText } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { mergeSection, survivorLink } from './merge.parts';
import { pathOfType } from './paths';
import { catalogueTabs } from './tabs';
import { recordFields, type RecordField } from './record-form';

export const LIST_COUNT = 50;

/** Prefix of the fields of records, whose names could be those of other fields. */
export const FIELD_PREFIX = 'member.';

const typeNames = ({ words }: ConsoleVisit): Readonly<Record<string, string>> =>
  words.catalogue.types;

const backTo = (visit: ConsoleVisit, type: string): Html =>
  crumbs(visit.words.areas.catalogue, [
    { href: withQuery(CONSOLE.catalogue, { type }), label: typeNames(visit)[type] ?? type },
  ]);

/** The list of records of a type. */
export function cataloguePage(
  visit: ConsoleVisit,
  { type, q, state }: { readonly type: string; readonly q: string; readonly state: string },
  page: Page<RecordRow>,
): Html {
  const { words } = visit;
  const texts = words.catalogue;
  return consolePage(
    visit,
    { title: words.areas.catalogue, area: 'catalogue' },
    html`<h1>${words.areas.catalogue}</h1>
      ${catalogueTabs(visit, type)}
      <form class="row" action="${CONSOLE.catalogue}">
        ${hiddenField('type', type)} ${textInput('q', texts.title, q, 'search')}
        ${select(
          'state',
          words.states.label,
          RECORD_STATES.map((one): [string, string] => [one, texts.states[one]]),
          state,
        )}
        <button class="quiet">${words.search}</button>
        <a class="button quiet" href="${pathOfType(type)}/new">${texts.create}</a>
      </form>
      ${tableOrNone(
        visit,
        words.areas.catalogue,
        ['id', texts.title, words.states.label],
        page.items.map((row) => [
          row.id,
          html`<a href="${pathOfType(type)}/${row.id}">${row.title || row.id}</a>`,
          row.state === 'visible'
            ? texts.states.visible
            : badge(`${texts.states[row.state]} ${row.deleted ?? ''}`, 'warn'),
        ]),
      )}
      ${pager(visit, { ...page, count: LIST_COUNT }, (start) =>
        withQuery(CONSOLE.catalogue, { type, q, state, start }),
      )}`,
  );
}

const SHORT: ReadonlySet<string> = new Set(['line', 'date', 'number', 'url']);

const fieldInput = ({ name, about, kind, value, choices = [] }: RecordField): Html => {
  const id = `field-${name}`;
  const field = `${FIELD_PREFIX}${name}`;
  const label = html`<label for="${id}">${name} <small>${about}</small></label>`;
  if (SHORT.has(kind)) {
    const type = kind === 'line' ? 'text' : kind;
    return html`${label}<input type="${type}" id="${id}" name="${field}" value="${value}" />`;
  }
  if (kind === 'choice') {
    const all = choices.includes(value) ? choices : [value, ...choices];
    return html`${label}<select id="${id}" name="${field}">
        ${all.map((one) => html`<option value="${one}" ${one === value && html`selected`}>${one}</option>`)}
      </select>`;
  }
  return html`${label}<textarea
      id="${id}"
      name="${field}"
      rows="${Math.min(12, value.split('\n').length + 1)}"
      ${kind === 'json' && html`spellcheck="false"`}
    >
${value}</textarea>`;
};

/** The title or name of a record. */
export function titleOf({ title, name }: WireRecord): string {
  const text = title ?? name;
  return typeof text === 'string' ? text : '';
}

/** The form of a new or existing record. @param id undefined for a new record */
export function recordPage(
  visit: ConsoleVisit,
  type: string,
  {
    id,
    stored,
    history,
    survivor,
    same,
  }: {
    readonly id: number | undefined;
    readonly stored: WireRecord;
    readonly history: readonly AuditRow[];
    /** The record into which it was merged. */
    readonly survivor?: number | undefined;
    /** Records with the same title, for records that can be merged. */
    readonly same?: readonly RecordRow[];
  },
): Html {
  const { words } = visit;
  const texts = words.catalogue;
  const heading = id === undefined ? texts.create : `${titleOf(stored)} (${id})`;
  const isDeleted = stored.deleted !== undefined;
  const path = `${pathOfType(type)}/${id ?? 'new'}`;
  return consolePage(
    visit,
    { title: heading, area: 'catalogue' },
    html`${backTo(visit, type)}
      <h1>${heading} ${isDeleted && badge(texts.states.deleted, 'danger')}</h1>
      ${
        isDeleted
          ? html`<p>${texts.deletedAt(shownText(stored.deleted))}</p>
              ${
                survivor === undefined
                  ? buttonForm(visit, { action: `${path}/restore`, label: texts.restore, kind: '' })
                  : survivorLink(visit, type, survivor)
              }`
          : html`<p class="soft">${texts.formHint}</p>
              <form method="post" action="${path}/preview">
                ${csrfField(visit)}${recordFields(type, stored).map(fieldInput)}
                <button>${texts.preview}</button>
              </form>
              ${id !== undefined && same && mergeSection(visit, type, id, same)}
              ${
                id !== undefined &&
                html`<h2>${texts.remove}</h2>
                  <p>${texts.removeHint}</p>
                  ${buttonForm(visit, { action: `${path}/delete`, label: texts.remove, kind: 'danger' })}`
              }`
      }
      ${
        id !== undefined &&
        html`<h2>${texts.history}</h2>
          ${changesTable(visit, history)}`
      }`,
  );
}

/** What a change would do, with the form that saves it. */
export function previewPage(
  visit: ConsoleVisit,
  type: string,
  {
    id,
    stored,
    changes,
  }: {
    readonly id: number | undefined;
    readonly stored: WireRecord;
    readonly changes: WireRecord;
  },
): Html {
  const { words } = visit;
  const texts = words.catalogue;
  const names = Object.keys(changes);
  const before = Object.fromEntries(names.map((name) => [name, stored[name]]));
  const path = `${pathOfType(type)}/${id ?? 'new'}`;
  const list: Piece =
    names.length === 0 ? html`<p>${texts.noChange}</p>` : differences(before, changes);
  return consolePage(
    visit,
    { title: texts.preview, area: 'catalogue' },
    html`${backTo(visit, type)}
      <h1>${texts.preview}</h1>
      <div class="entry">${list}</div>
      <form method="post" action="${path}/save">
        ${csrfField(visit)}${hiddenField('changes', JSON.stringify(changes))}
        <div class="buttons">
          <button ${names.length === 0 && html`disabled`}>${words.save}</button>
          <a class="button quiet" href="${path}">${texts.back}</a>
        </div>
      </form>`,
  );
}
