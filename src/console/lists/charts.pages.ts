import { type Page } from '../../api/resources/page';
import { type NamedSnapshot } from '../../admin/charts.service';
import { type SnapshotRow } from '../../movies/chart-snapshots.repository';
import { CHART_NAMES, COMPUTED } from '../../movies/chart-names';
import { badge, crumbs } from '../../web/components';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { catalogueTabs } from '../catalogue/tabs';
import { toText } from '../../text/to-text';
import {
  buttonForm,
  consolePage,
  dateInput,
  hiddenField,
  pager,
  select,
  tableOrNone,
  textInput,
} from '../layout';
import { CONSOLE } from '../paths';

export const LIST_COUNT = 50;

/** An entry as the record of a chart has it. */
export interface WireEntry {
  readonly rank: number;
  readonly subject_id: string;
  readonly delta?: number;
  readonly box?: number;
  readonly new?: boolean;
}

const nameOf = ({ words }: ConsoleSession, name: string): string => {
  const names: Readonly<Record<string, string>> = words.lists.names;
  return names[name] ?? name;
};

const choices = (session: ConsoleSession, names: readonly string[]): [string, string][] =>
  names.map((name) => [name, nameOf(session, name)]);

/** The list of snapshots, newest first, and the forms that compute and write one. */
export function chartsPage(
  session: ConsoleSession,
  { name, today }: { readonly name: string; readonly today: string },
  page: Page<SnapshotRow>,
): Html {
  const { words } = session;
  const texts = words.lists;
  return consolePage(
    session,
    { title: texts.charts, area: 'catalogue' },
    html`<h1>${texts.charts}</h1>
      ${catalogueTabs(session, 'charts')}
      <form class="row" action="${CONSOLE.charts}">
        ${select('name', texts.chart, [['', words.any], ...choices(session, CHART_NAMES)], name)}
        <button class="quiet">${words.search}</button>
      </form>
      ${tableOrNone(
        session,
        texts.charts,
        [
          texts.chart,
          texts.date,
          texts.city,
          words.states.label,
          { title: texts.entries, number: true },
        ],
        page.items.map((row) => [
          html`<a href="${CONSOLE.charts}/${row.id}">${nameOf(session, row.name)}</a>`,
          row.date,
          row.city,
          row.computed ? texts.computed : texts.written,
          row.entries,
        ]),
      )}
      ${pager(session, { ...page, count: LIST_COUNT }, (start) => withQuery(CONSOLE.charts, { name, start }))}
      <h2>${texts.compute}</h2>
      <form class="row" method="post" action="${CONSOLE.charts}/compute">
        ${csrfField(session)} ${select('name', texts.chart, choices(session, COMPUTED), 'top250')}
        ${dateInput('date', texts.date, today)} ${textInput('city', texts.chartCityHint)}
        <button class="quiet">${texts.computeButton}</button>
      </form>
      <h2>${texts.write}</h2>
      ${writeForm(session, { name: 'weekly', date: today, city: '', lines: [] })}`,
  );
}

const writeForm = (
  session: ConsoleSession,
  chart: {
    readonly name: string;
    readonly date: string;
    readonly city: string;
    /** Ids of films with their titles. */
    readonly lines: readonly string[];
    /** Id of the snapshot that the form edits. */
    readonly edited?: string;
  },
): Html => {
  const texts = session.words.lists;
  return html`<form method="post" action="${CONSOLE.charts}/write">
    ${csrfField(session)} ${chart.edited !== undefined && hiddenField('edited', chart.edited)}
    <div class="row">
      ${select('name', texts.chart, choices(session, CHART_NAMES), chart.name)}
      ${dateInput('date', texts.date, chart.date)}
      ${textInput('city', texts.chartCityHint, chart.city)}
    </div>
    <label for="entries">${texts.entries} <small>${texts.writeHint}</small></label>
    <textarea
      id="entries"
      name="entries"
      rows="${Math.max(4, Math.min(20, chart.lines.length + 1))}"
    >
${chart.lines.join('\n')}</textarea>
    <button>${session.words.save}</button>
  </form>`;
};

/** A snapshot: its entries, and the form that replaces it. */
export function chartPage(
  session: ConsoleSession,
  { record, city, computed, titles }: NamedSnapshot,
): Html {
  const { words } = session;
  const texts = words.lists;
  const name = toText(record.name);
  const date = toText(record.date);
  const id = toText(record.id);
  const entries = (record.entries ?? []) as readonly WireEntry[];
  const cityId = record.city_id === undefined ? '' : toText(record.city_id);
  const titleOf = (film: string): string => titles.get(film) || texts.untitled;
  const lines = entries.map((entry) => `${entry.subject_id} ${titleOf(entry.subject_id)}`);
  const heading = [nameOf(session, name), city, date].filter(Boolean).join(' · ');
  return consolePage(
    session,
    { title: heading, area: 'catalogue' },
    html`${crumbs(words.areas.catalogue, [{ href: CONSOLE.charts, label: texts.charts }])}
      <h1>${heading} ${badge(computed ? texts.computed : texts.written)}</h1>
      ${tableOrNone(
        session,
        texts.entries,
        [
          { title: texts.rank, number: true },
          texts.film,
          words.log.id,
          { title: texts.delta, number: true },
        ],
        entries.map((entry) => [
          entry.rank,
          html`<a href="${CONSOLE.catalogue}/subjects/${entry.subject_id}"
            >${titleOf(entry.subject_id)}</a
          >`,
          entry.subject_id,
          entry.delta,
        ]),
      )}
      <h2>${texts.edit}</h2>
      ${writeForm(session, { name, date, city: cityId, lines, edited: id })}
      <h2>${texts.remove}</h2>
      ${buttonForm(session, {
        action: `${CONSOLE.charts}/${id}/delete`,
        label: texts.remove,
        kind: 'danger',
      })}`,
  );
}
