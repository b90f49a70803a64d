import { type Page } from '../../api/resources/page';
import { type SeriesRow } from '../../books/series.repository';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { catalogueTabs } from '../catalogue/tabs';
import { buttonForm, consolePage, pager, tableOrNone, textInput } from '../layout';
import { CONSOLE } from '../paths';

export const LIST_COUNT = 50;

const renameForm = (session: ConsoleSession, { id, title }: SeriesRow): Html =>
  html`<form method="post" action="${CONSOLE.series}/${id}/rename" class="inline">
    ${csrfField(session)}
    <input
      type="text"
      name="title"
      value="${title}"
      aria-label="${session.words.catalogue.title}"
      required
    />
    <button class="small quiet">${session.words.lists.rename}</button>
  </form>`;

/** The list of series, whose titles can be changed in place. */
export function seriesPage(session: ConsoleSession, q: string, page: Page<SeriesRow>): Html {
  const { words } = session;
  const texts = words.lists;
  return consolePage(
    session,
    { title: texts.series, area: 'catalogue' },
    html`<h1>${texts.series}</h1>
      ${catalogueTabs(session, 'series')}
      <form class="row" action="${CONSOLE.series}">
        ${textInput('q', words.catalogue.title, q, 'search')}
        <button class="quiet">${words.search}</button>
      </form>
      <form class="row" method="post" action="${CONSOLE.series}/create">
        ${csrfField(session)} ${textInput('title', texts.newSeries)}
        <button class="quiet">${words.save}</button>
      </form>
      <p class="soft">${texts.seriesHint}</p>
      ${tableOrNone(
        session,
        texts.series,
        ['id', words.catalogue.title, { title: texts.books, number: true }, ''],
        page.items.map((row) => [
          row.id,
          renameForm(session, row),
          row.books,
          buttonForm(session, {
            action: `${CONSOLE.series}/${row.id}/delete`,
            label: texts.remove,
            kind: 'small danger',
          }),
        ]),
      )}
      ${pager(session, { ...page, count: LIST_COUNT }, (start) => withQuery(CONSOLE.series, { q, start }))}`,
  );
}
