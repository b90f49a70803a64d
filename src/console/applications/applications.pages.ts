import { type Page } from '../../api/resources/page';
import { LEVELS, SCOPES } from '../../api/access/access';
import {
  type AdminApplicationDetails,
  type AdminApplicationRow,
} from '../../oauth/application-details.repository';
import { badge, crumbs, definitions } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { logo } from '../../web/application-logo';
import { type ConsoleSession } from '../access/console-sessions.service';
import { buttonForm, consolePage, pager, select, tableOrNone, textInput } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { beginning } from '../review/content.parts';
import { historyTable, ownerLink, waitingRequest, waitingSubjects } from './application.parts';
import {
  type ApplicationProfile,
  type ApplicationSummary,
  type DayOfRequests,
  type LimitChange,
} from './applications.repository';

export const LIST_COUNT = 50;

const stateOf = ({ words }: ConsoleSession, application: AdminApplicationRow): Piece => {
  if (application.blocked) return badge(words.applications.blocked, 'danger');
  if (waitingSubjects(application).length > 0) return badge(words.applications.waiting, 'warn');
  return badge(words.applications.open, 'good');
};

const ownerCell = (
  { owner }: AdminApplicationRow,
  summary: ApplicationSummary | undefined,
): Piece =>
  owner !== null && html`<a href="${CONSOLE.users}/${summary?.owner_id ?? ''}">${owner}</a>`;

const waitingReason = (summary: ApplicationSummary | undefined): Piece =>
  typeof summary?.asked_at === 'string' &&
  html`<div class="soft small">
    <time>${summary.asked_at}</time> ${beginning(summary.reason ?? '')}
  </div>`;

/** The list of applications. */
export function applicationsPage(
  session: ConsoleSession,
  { q, state }: { readonly q: string; readonly state: string },
  page: Page<AdminApplicationRow>,
  summaries: ReadonlyMap<string, ApplicationSummary>,
): Html {
  const { words } = session;
  const texts = words.applications;
  return consolePage(
    session,
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
        session,
        words.areas.applications,
        [
          ...[words.name, texts.owner, texts.level, words.states.label],
          { title: texts.requests, number: true },
          texts.created,
        ],
        page.items.map((one) => [
          html`<span class="named"
              >${logo(one.name, one.logo, 'small')}
              <a href="${CONSOLE.applications}/${one.client_id}">${one.name}</a></span
            >
            ${summaries.get(one.client_id)?.test && badge(texts.testKey)}`,
          ownerCell(one, summaries.get(one.client_id)),
          one.level,
          html`${stateOf(session, one)} ${waitingReason(summaries.get(one.client_id))}`,
          summaries.get(one.client_id)?.requests,
          one.created,
        ]),
      )}
      ${pager(session, { ...page, count: LIST_COUNT }, (start) =>
        withQuery(CONSOLE.applications, { q, state, start }),
      )}`,
  );
}

function decideForm(session: ConsoleSession, application: AdminApplicationRow): Html {
  const { words } = session;
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
      ${csrfField(session)}
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
        >${texts.reasonForDeveloper} <small>${texts.reasonHint}</small>
        <textarea name="reason" maxlength="1000" required></textarea>
      </label>
      <div class="buttons">
        <button name="verb" value="approve" formnovalidate>${texts.approve}</button>
        <button class="quiet" name="verb" value="decline">${texts.decline}</button>
        <button class="danger" name="verb" value="suspend">${texts.suspend}</button>
      </div>
    </form>`;
}

function blockForm(
  session: ConsoleSession,
  application: AdminApplicationRow,
  contact: string,
): Html {
  const texts = session.words.applications;
  const path = `${CONSOLE.applications}/${application.client_id}`;
  if (application.blocked) {
    return html`<h2>${texts.blocked}</h2>
      <p>${application.blocked_reason} · ${application.blocked_contact}</p>
      ${buttonForm(session, { action: `${path}/unblock`, label: texts.unblock })}`;
  }
  return html`<h2>${texts.block}</h2>
    <form method="post" action="${path}/block">
      ${csrfField(session)}
      <label
        >${texts.reasonForDeveloper} <input type="text" name="reason" required maxlength="1000"
      /></label>
      ${textInput('contact', texts.contact, contact)}
      <button class="danger">${texts.block}</button>
    </form>`;
}

const deleteLogoForm = (
  session: ConsoleSession,
  { client_id: clientId }: AdminApplicationRow,
): Html =>
  buttonForm(session, {
    action: `${CONSOLE.applications}/${clientId}/logo/delete`,
    label: session.words.applications.deleteLogo,
    kind: 'small danger',
  });

const homepageLink = (address: string): Html =>
  html`<a href="${address}" rel="noopener nofollow">${address}</a>`;

/** Data of the page of an application. */
export interface ApplicationPage {
  readonly application: AdminApplicationDetails;
  readonly profile: ApplicationProfile | undefined;
  readonly use: readonly DayOfRequests[];
  readonly limits: readonly LimitChange[];
  /** Default contact for a block. */
  readonly contact: string;
}

/** The page of an application. */
export function applicationPage(
  session: ConsoleSession,
  { application, profile, use, limits, contact }: ApplicationPage,
): Html {
  const { words } = session;
  const texts = words.applications;
  const sum = (name: 'requests' | 'rejected'): number =>
    use.reduce((all, day) => all + day[name], 0);
  return consolePage(
    session,
    { title: application.name, area: 'applications' },
    html`${crumbs(words.areas.applications, [
        { href: CONSOLE.applications, label: words.areas.applications },
      ])}
      <div class="named heading">
        ${logo(application.name, application.logo)}
        <h1>${application.name} ${stateOf(session, application)}</h1>
      </div>
      ${definitions([
        ['client_id', html`<code>${application.client_id}</code>`],
        [texts.owner, profile && ownerLink(profile, application.owner)],
        [texts.description, profile?.description],
        [texts.homepage, profile?.homepage && homepageLink(profile.homepage)],
        [
          texts.testOf,
          profile?.test_of != null &&
            html`<a href="${CONSOLE.applications}/${profile.test_of}">${profile.test_of}</a>`,
        ],
        [texts.use, words.today.requests(sum('requests'), sum('rejected'))],
        [texts.level, application.level],
        [texts.kind, application.public ? texts.isPublic : texts.confidential],
        [texts.redirects, application.redirect_uris.join(' ')],
        [texts.scopes, application.scopes.join(', ')],
        [texts.limit, application.limit_per_hour ?? texts.limitOfLevel],
        [texts.created, application.created],
        [texts.logo, application.logo !== null && deleteLogoForm(session, application)],
      ])}
      ${waitingRequest(session, application)} ${decideForm(session, application)}
      <h2>${texts.limit}</h2>
      <form
        method="post"
        class="row"
        action="${CONSOLE.applications}/${application.client_id}/limit"
      >
        ${csrfField(session)}
        ${textInput('per_hour', texts.limitHint, String(application.limit_per_hour ?? ''), 'number')}
        <button class="quiet">${words.save}</button>
      </form>
      ${blockForm(session, application, contact)}
      <h2>${texts.use}</h2>
      ${tableOrNone(
        session,
        texts.use,
        [
          texts.day,
          { title: words.today.requestsColumn, number: true },
          { title: words.today.rejectedColumn, number: true },
        ],
        use.map(({ day, requests, rejected }) => [day, requests, rejected]),
      )}
      <h2>${texts.history}</h2>
      ${historyTable(session, application, limits)}`,
  );
}
