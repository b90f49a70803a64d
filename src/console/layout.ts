import { html, type Html, type Piece } from '../web/html';
import { csrfField, flash, page, type NavGroup } from '../web/layout';
import { table } from '../web/components';
import { type ConsoleSession } from './access/console-sessions.service';
import { type ConsoleMessages } from './messages';
import { CONSOLE } from './paths';
import { CONSOLE_STYLE } from './assets/style';

type Area = keyof ConsoleMessages['areas'];

const GROUPS: readonly (readonly [keyof ConsoleMessages['groups'], readonly Area[]])[] = [
  ['overview', ['today', 'log']],
  ['review', ['queue', 'reports', 'words']],
  ['people', ['applications', 'users']],
  ['content', ['catalogue', 'transfers']],
  ['service', ['settings']],
];

const sideOf = ({ words }: ConsoleSession, area: Area | undefined): NavGroup[] =>
  GROUPS.map(([group, areas]) => ({
    title: words.groups[group],
    links: areas.map((name) => ({
      href: CONSOLE[name],
      label: words.areas[name],
      current: name === area,
    })),
  }));

/** Options of a page of the console. */
export interface ConsolePage {
  readonly title: string;
  readonly area?: Area;
  /** Whether it loads the script with keyboard shortcuts; pass it to `sendPage` as well. */
  readonly script?: boolean;
}

/** A page of the console: header, side navigation, content. */
export const consolePage = (
  session: ConsoleSession,
  { title, area, script = false }: ConsolePage,
  body: Piece,
): Html =>
  page(
    session,
    {
      title: `${title} · ${session.words.console}`,
      side: sideOf(session, area),
      head: html`<link rel="stylesheet" href="${CONSOLE_STYLE.address}" />${
          script && html`<script src="${CONSOLE.script}" defer></script>`
        }`,
    },
    html`<div class="console">${doneMessage(session)}${body}</div>`,
  );

/** The message about the form that led to this page, by the query parameter `did`. */
function doneMessage({ words, request }: ConsoleSession): Html | undefined {
  const { did } = request.context.query;
  const messages: Readonly<Record<string, string>> = words.done;
  const known = typeof did === 'string' && Object.hasOwn(messages, did);
  return flash('good', known ? messages[did] : undefined);
}

export const hiddenField = (name: string, value: string | number): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** A form with a single button. */
export interface ButtonForm {
  readonly action: string;
  readonly label: Piece;
  readonly fields?: Readonly<Record<string, string | number>>;
  /** CSS class of the button. */
  readonly kind?: string;
  /** Key that presses the button while its entry is current. */
  readonly key?: string;
}

export const buttonForm = (
  session: ConsoleSession,
  { action, label, fields = {}, kind = 'small quiet', key }: ButtonForm,
): Html =>
  html`<form method="post" action="${action}" class="inline">
    ${csrfField(session)}${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}
    <button class="${kind}" ${key !== undefined && html`data-key="${key}"`}>
      ${label}${key !== undefined && html` <kbd aria-hidden="true">${key}</kbd>`}
    </button>
  </form>`;

/** Columns from which a table shows its rows as cards on phones. */
const MIN_STACKED = 4;

/** A table, or a sentence when it has no rows. */
export const tableOrNone = (
  { words }: ConsoleSession,
  label: string,
  columns: readonly (string | { readonly title: string; readonly number?: boolean })[],
  rows: readonly (readonly Piece[])[],
): Html =>
  rows.length === 0
    ? html`<p class="empty">${words.none}</p>`
    : table(
        label,
        columns.map((one) => {
          // Columns of buttons have a name for screen readers only.
          if (one === '') return { title: html`<span class="hidden">${words.actions}</span>` };
          return typeof one === 'string' ? { title: one } : one;
        }),
        rows,
        { isStacked: columns.length >= MIN_STACKED },
      );

/** A select element. @param choices value and label */
export const select = (
  name: string,
  label: string,
  choices: readonly (readonly [value: string, label: string])[],
  chosen: string,
): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${choices.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
      )}
    </select>
  </label>`;

/** A required date field with its label. */
export const dateInput = (name: string, label: string, value: string): Html =>
  html`<label>${label} <input type="date" name="${name}" value="${value}" required /></label>`;

/** A text field with its label. */
export const textInput = (name: string, label: string, value = '', type = 'text'): Html =>
  html`<label>${label} <input type="${type}" name="${name}" value="${value}" /></label>`;

/** Links to the previous and next page of a list. */
export function pager(
  { words }: ConsoleSession,
  {
    start,
    total,
    count,
  }: { readonly start: number; readonly total: number; readonly count: number },
  hrefOf: (start: number) => string,
): Piece {
  if (total <= count && start === 0) return undefined;
  return html`<nav class="pages" aria-label="${words.pages.label}">
    ${start > 0 && html`<a rel="prev" href="${hrefOf(Math.max(0, start - count))}">← ${words.pages.previous}</a>`}
    <span class="soft"
      >${words.pages.position(start + 1, Math.min(start + count, total), total)}</span
    >
    ${start + count < total && html`<a rel="next" href="${hrefOf(start + count)}">${words.pages.next} →</a>`}
  </nav>`;
}
