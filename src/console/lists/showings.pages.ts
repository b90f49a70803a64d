import { type Page } from '../../api/resources/page';
import { type ShowingRow } from '../../movies/showings.repository';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { withQuery } from '../../web/with-query';
import { type ConsoleSession } from '../access/console-sessions.service';
import { catalogueTabs } from '../catalogue/tabs';
import { buttonForm, consolePage, dateInput, pager, tableOrNone, textInput } from '../layout';
import { CONSOLE } from '../paths';

export const LIST_COUNT = 50;

/** The list of showings, newest first, and the form for a new one. */
export function showingsPage(
  session: ConsoleSession,
  {
    city,
    subject,
    today,
  }: { readonly city: string; readonly subject: string; readonly today: string },
  page: Page<ShowingRow>,
): Html {
  const { words } = session;
  const texts = words.lists;
  return consolePage(
    session,
    { title: texts.showings, area: 'catalogue' },
    html`<h1>${texts.showings}</h1>
      ${catalogueTabs(session, 'showings')}
      <form class="row" action="${CONSOLE.showings}">
        ${textInput('city', texts.cityHint, city)} ${textInput('subject', texts.filmId, subject)}
        <button class="quiet">${words.search}</button>
      </form>
      ${tableOrNone(
        session,
        texts.showings,
        [texts.film, texts.city, texts.from, texts.until, ''],
        page.items.map((row) => [
          html`<a href="${CONSOLE.catalogue}/subjects/${row.subject_id}"
            >${row.title} (${row.subject_id})</a
          >`,
          row.city,
          row.from,
          row.until,
          buttonForm(session, {
            action: `${CONSOLE.showings}/${row.id}/delete`,
            label: texts.remove,
            kind: 'small danger',
          }),
        ]),
      )}
      ${pager(session, { ...page, count: LIST_COUNT }, (start) =>
        withQuery(CONSOLE.showings, { city, subject, start }),
      )}
      <h2>${texts.newShowing}</h2>
      <form class="row" method="post" action="${CONSOLE.showings}/write">
        ${csrfField(session)} ${textInput('subject_id', texts.filmId)}
        ${textInput('city', texts.cityHint)} ${dateInput('from', texts.from, today)}
        ${textInput('until', texts.until, '', 'date')}
        <button>${words.save}</button>
      </form>`,
  );
}
