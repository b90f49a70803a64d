import { type Page } from '../../api/resources/page';
import { LEVELS, SCOPES } from '../../api/access/access';
import { type AdminApplicationRow } from '../../oauth/application-details.repository';
import { badge, crumbs, definitions } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { buttonForm, consolePage, pager, select, tableOrNone, textInput } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { type DayOfRequests } from './applications.repository';

export const LIST_COUNT = 50;

/** A decision in the history of an application. */
interface Decision {
  readonly subject: string;
  readonly state: string;
  readonly actor: string;
  readonly reason: string;
  readonly at: string;
}

const decisionsOf = (application: AdminApplicationRow): readonly Decision[] =>
  (application as { decisions?: readonly Decision[] }).decisions ?? [];

const waitingSubjects = ({ states }: AdminApplicationRow): string[] =>
  Object.keys(states).filter((subject) => states[subject] === 'asked');

const stateOf = ({ words }: ConsoleVisit, application: AdminApplicationRow): Piece => {
  if (application.blocked) return badge(words.applications.blocked, 'danger');
  if (waitingSubjects(application).length > 0) return badge(words.applications.waiting, 'warn');
  return badge(words.applications.open, 'good');
};

/** The list of applications. */
export function applicationsPage(
  visit: ConsoleVisit,
  { q, state }: { readonly q: string; readonly state: string },
  page: Page<AdminApplicationRow>,
): Html {
  const { words } = visit;
  const texts = words.applications;
  return consolePage(
    visit,
    { title: words.areas.applications, area: 'applications' },
    html`<h1>${words.areas.applications}</h1>
      <form class="row" action="${CONSOLE.applications}">
        ${textInput('q', words.search, q, 'search')}
        ${select(
          'state',
          words.states.label,
          [
            ['', words.any],
            ['waiting', texts.waiting],
            ['open', texts.open],
            ['blocked', texts.blocked],
          ],
          state,
        )}
        <button class="quiet">${words.search}</button>
      </form>
      ${tableOrNone(
        visit,
        words.areas.applications,
        [words.name, texts.owner, texts.level, words.states.label, texts.created],
        page.items.map((one) => [
          html`<a href="${CONSOLE.applications}/${one.client_id}">${one.name}</a>`,
          one.owner,
          one.level,
          stateOf(visit, one),
          one.created,
        ]),
      )}
      ${pager(visit, { ...page, count: LIST_COUNT }, (start) =>
        withQuery(CONSOLE.applications, { q, state, start }),
      )}`,
  );
}

function decideForm(visit: ConsoleVisit, application: AdminApplicationRow): Html {
  const { words } = visit;
  const texts = words.applications;
  const asked = waitingSubjects(application);
  const box = (scope: string): Html =>
    html`<label class="choice">
      <input
        type="checkbox"
        name="scope"
        value="${scope}"
        ${asked.includes(scope) && html`checked`}
      />
      <span
        ><code>${scope}</code> ${application.scopes.includes(scope) && badge(texts.granted, 'good')}
        ${asked.includes(scope) && badge(texts.asked, 'warn')}</span
      >
    </label>`;
  const level = LEVELS.find((one) => asked.includes(one)) ?? '';
  return html`<h2>${texts.decide}</h2>
    <form method="post" action="${CONSOLE.applications}/${application.client_id}/decide">
      ${csrfField(visit)}
      <fieldset>
        <legend>${texts.scopes}</legend>
        ${SCOPES.map(box)}
      </fieldset>
      ${select(
        'level',
        texts.level,
        [['', texts.noLevel], ...LEVELS.map((one): [string, string] => [one, one])],
        level,
      )}
      <label
        >${texts.reasonForDeveloper} <textarea name="reason" maxlength="1000"></textarea>
      </label>
      <div class="buttons">
        <button name="verb" value="approve">${texts.approve}</button>
        <button class="quiet" name="verb" value="decline">${texts.decline}</button>
        <button class="danger" name="verb" value="suspend">${texts.suspend}</button>
      </div>
    </form>`;
}

function blockForm(visit: ConsoleVisit, application: AdminApplicationRow, contact: string): Html {
  const texts = visit.words.applications;
  const path = `${CONSOLE.applications}/${application.client_id}`;
  if (application.blocked) {
    return html`<h2>${texts.blocked}</h2>
      <p>${application.blocked_reason} · ${application.blocked_contact}</p>
      ${buttonForm(visit, { action: `${path}/unblock`, label: texts.unblock })}`;
  }
  return html`<h2>${texts.block}</h2>
    <form method="post" action="${path}/block">
      ${csrfField(visit)}
      <label
        >${texts.reasonForDeveloper} <input type="text" name="reason" required maxlength="1000"
      /></label>
      ${textInput('contact', texts.contact, contact)}
      <button class="danger">${texts.block}</button>
    </form>`;
}

/** The page of an application. @param contact default contact for a block */
export function applicationPage(
  visit: ConsoleVisit,
  application: AdminApplicationRow,
  use: readonly DayOfRequests[],
  contact: string,
): Html {
  const { words } = visit;
  const texts = words.applications;
  const subjects = Object.entries(application.states).filter(([, state]) => state === 'asked');
  return consolePage(
    visit,
    { title: application.name, area: 'applications' },
    html`${crumbs(words.areas.applications, [
        { href: CONSOLE.applications, label: words.areas.applications },
      ])}
      <h1>${application.name} ${stateOf(visit, application)}</h1>
      ${definitions([
        ['client_id', html`<code>${application.client_id}</code>`],
        [texts.owner, application.owner],
        [texts.level, application.level],
        [texts.kind, application.public ? texts.isPublic : texts.confidential],
        [texts.redirects, application.redirect_uris.join(' ')],
        [texts.scopes, application.scopes.join(', ')],
        [texts.asked, subjects.map(([subject]) => subject).join(', ')],
        [texts.limit, application.limit_per_hour ?? texts.limitOfLevel],
        [texts.created, application.created],
      ])}
      ${decideForm(visit, application)}
      <h2>${texts.limit}</h2>
      <form
        method="post"
        class="row"
        action="${CONSOLE.applications}/${application.client_id}/limit"
      >
        ${csrfField(visit)}
        ${textInput('per_hour', texts.limitHint, String(application.limit_per_hour ?? ''), 'number')}
        <button class="quiet">${words.save}</button>
      </form>
      ${blockForm(visit, application, contact)}
      <h2>${texts.use}</h2>
      ${tableOrNone(
        visit,
        texts.use,
        [
          texts.day,
          { title: words.today.requestsColumn, number: true },
          { title: words.today.rejectedColumn, number: true },
        ],
        use.map(({ day, requests, rejected }) => [day, requests, rejected]),
      )}
      <h2>${texts.history}</h2>
      ${tableOrNone(
        visit,
        texts.history,
        [texts.at, texts.subject, words.states.label, texts.actor, words.reason],
        decisionsOf(application).map((one) => [
          one.at,
          html`<code>${one.subject}</code>`,
          one.state,
          one.actor,
          one.reason,
        ]),
      )}`,
  );
}
