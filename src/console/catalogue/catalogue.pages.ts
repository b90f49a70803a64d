import { type Page } from '../../api/resources/page';
import { type RecordPreview } from '../../admin/records/records.service';
import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { RECORD_STATES, type RecordRow } from '../../import-export/engine/record-lists';
import { badge, crumbs } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleSession } from '../access/console-sessions.service';
import {
  buttonForm,
  consolePage,
  hiddenField,
  pager,
  select,
  tableOrNone,
  textInput,
} from '../layout';
import { toText } from '../../text/to-text';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { filmsSection, historySection, type RecordHistory } from './history.parts';
import { mergeSection, survivorLink } from './merge.parts';
import { pathOfType } from './paths';
import { catalogueTabs } from './tabs';
import {
  errorSummary,
  memberDifferences,
  memberFields,
  STORED_FORM,
  type ShownForm,
} from './fields.parts';
import { type CreditedFilm } from './record-details.repository';
import { pictureOf, publicPageOf } from './public-page';
import { membersOf, recordMembers } from './record-form';

export const LIST_COUNT = 50;

/** Name of the button that returns from the preview to the form. */
export const EDIT = 'edit';

const typeNames = ({ words }: ConsoleSession): Readonly<Record<string, string>> =>
  words.catalogue.types;

const backTo = (session: ConsoleSession, type: string): Html =>
  crumbs(session.words.areas.catalogue, [
    { href: withQuery(CONSOLE.catalogue, { type }), label: typeNames(session)[type] ?? type },
  ]);

/** The list of records of a type. */
export function cataloguePage(
  session: ConsoleSession,
  { type, q, state }: { readonly type: string; readonly q: string; readonly state: string },
  page: Page<RecordRow>,
): Html {
  const { words } = session;
  const texts = words.catalogue;
  return consolePage(
    session,
    { title: words.areas.catalogue, area: 'catalogue' },
    html`<h1>${words.areas.catalogue}</h1>
      ${catalogueTabs(session, type)}
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
        session,
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
      ${pager(session, { ...page, count: LIST_COUNT }, (start) =>
        withQuery(CONSOLE.catalogue, { type, q, state, start }),
      )}`,
  );
}

/** The title or name of a record. */
export function titleOf({ title, name }: WireRecord): string {
  const text = title ?? name;
  return typeof text === 'string' ? text : '';
}

/** The picture of a record and the link to its public page. */
function aboutRecord({ words }: ConsoleSession, type: string, stored: WireRecord): Piece {
  const picture = pictureOf(stored);
  const path = stored.deleted === undefined ? publicPageOf(type, stored) : undefined;
  return html`<div class="about-record">
    ${picture !== undefined && html`<img src="${picture}" alt="" />`}
    ${path !== undefined && html`<a href="${path}">${words.catalogue.publicPage}</a>`}
  </div>`;
}

/** The form of a new or existing record. @param id undefined for a new record */
export function recordPage(
  session: ConsoleSession,
  type: string,
  {
    id,
    stored,
    history,
    survivor,
    same,
    films,
    form = STORED_FORM,
  }: {
    readonly id: number | undefined;
    readonly stored: WireRecord;
    /** Undefined for a new record. */
    readonly history: RecordHistory | undefined;
    /** The record into which it was merged. */
    readonly survivor?: number | undefined;
    /** Records with the same title, for records that can be merged. */
    readonly same?: readonly RecordRow[];
    /** The films of a person. */
    readonly films?: readonly CreditedFilm[] | undefined;
    /** A form that is shown again. */
    readonly form?: ShownForm;
  },
): Html {
  const { words } = session;
  const texts = words.catalogue;
  const heading = id === undefined ? texts.create : `${titleOf(stored)} (${id})`;
  const isDeleted = stored.deleted !== undefined;
  const path = `${pathOfType(type)}/${id ?? 'new'}`;
  return consolePage(
    session,
    { title: heading, area: 'catalogue' },
    html`${backTo(session, type)}
      <h1>${heading} ${isDeleted && badge(texts.states.deleted, 'danger')}</h1>
      ${id !== undefined && aboutRecord(session, type, stored)}
      ${
        isDeleted
          ? html`<p>${texts.deletedAt(toText(stored.deleted))}</p>
              ${
                survivor === undefined
                  ? buttonForm(session, {
                      action: `${path}/restore`,
                      label: texts.restore,
                      kind: '',
                    })
                  : survivorLink(session, type, survivor)
              }`
          : html`${errorSummary(session, type, form.errors)}
              <p class="soft">${texts.formHint}</p>
              <form method="post" action="${path}/preview">
                ${csrfField(session)}
                <div class="fields">
                  ${recordMembers(type, stored).map((member) => memberFields(session, type, member, form))}
                </div>
                <button>${texts.preview}</button>
              </form>
              ${id !== undefined && same && mergeSection(session, type, id, same)}
              ${
                id !== undefined &&
                html`<h2>${texts.remove}</h2>
                  <p>${words.permanent.hints[type]}</p>
                  ${buttonForm(session, { action: `${path}/delete`, label: texts.remove, kind: 'danger' })}`
              }`
      }
      ${films && filmsSection(session, films)} ${history && historySection(session, type, history)}`,
  );
}

/** What a change would store, with the form that saves it. */
export function recordPreviewPage(
  session: ConsoleSession,
  type: string,
  {
    id,
    changes,
    preview: { before, after },
  }: {
    readonly id: number | undefined;
    readonly changes: WireRecord;
    readonly preview: RecordPreview;
  },
): Html {
  const { words } = session;
  const texts = words.catalogue;
  // A new record gets its id when it is saved.
  const names = Object.keys(membersOf(type)).filter((name) => id !== undefined || name !== 'id');
  const described = (record: WireRecord): WireRecord =>
    Object.fromEntries(names.map((name) => [name, record[name]]));
  const list = memberDifferences(session, type, described(before), described(after));
  // Saving fails when somebody else has changed one of these values meanwhile.
  const expected = Object.fromEntries(
    Object.keys(changes).map((name) => [name, before[name] ?? null]),
  );
  const path = `${pathOfType(type)}/${id ?? 'new'}`;
  return consolePage(
    session,
    { title: texts.preview, area: 'catalogue' },
    html`${backTo(session, type)}
      <h1>${id === undefined ? texts.create : `${titleOf(before)} (${id})`}</h1>
      <h2>${texts.previewTitle}</h2>
      <div class="entry">${list.length === 0 ? html`<p>${texts.noChange}</p>` : list}</div>
      <form method="post" action="${path}/save">
        ${csrfField(session)}${hiddenField('changes', JSON.stringify(changes))}
        ${id !== undefined && hiddenField('before', JSON.stringify(expected))}
        <div class="buttons">
          <button ${list.length === 0 && html`disabled`}>${words.save}</button>
          <button class="quiet" formaction="${path}/preview" name="${EDIT}" value="yes">
            ${texts.back}
          </button>
        </div>
      </form>`,
  );
}
