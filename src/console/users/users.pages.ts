import { type Page } from '../../api/resources/page';
import { ROLES } from '../../api/access/access';
import { type Authorized } from '../../oauth/grants.repository';
import { type UserAccountRow } from '../../users/user-accounts.repository';
import { badge, crumbs, definitions } from '../../web/components';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleVisit } from '../access/console-sessions.service';
import { buttonForm, consolePage, pager, select, tableOrNone, textInput } from '../layout';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { textTables, type TextsOfUser } from './texts.parts';

export const LIST_COUNT = 50;

const day = (time: Date): string => time.toISOString().slice(0, 10);

/** Filters of the list. */
export interface UsersFilter {
  readonly q: string;
  readonly role: string;
  readonly blocked: string;
}

export function usersPage(
  visit: ConsoleVisit,
  filter: UsersFilter,
  page: Page<UserAccountRow>,
): Html {
  const { words } = visit;
  const texts = words.users;
  return consolePage(
    visit,
    { title: words.areas.users, area: 'users' },
    html`<h1>${words.areas.users}</h1>
      <form class="row" action="${CONSOLE.users}">
        ${textInput('q', words.search, filter.q, 'search')}
        ${select(
          'role',
          texts.role,
          [['', words.any], ...ROLES.map((role): [string, string] => [role, texts.roles[role]])],
          filter.role,
        )}
        ${select(
          'blocked',
          words.states.label,
          [
            ['', words.any],
            ['true', texts.blocked],
            ['false', texts.open],
          ],
          filter.blocked,
        )}
        <button class="quiet">${words.search}</button>
      </form>
      ${tableOrNone(
        visit,
        words.areas.users,
        ['uid', words.name, texts.role, words.states.label, texts.created],
        page.items.map((user) => [
          html`<a href="${CONSOLE.users}/${user.id}">${user.uid}</a>`,
          user.name,
          texts.roles[user.role],
          user.blocked ? badge(texts.blocked, 'danger') : texts.open,
          user.created,
        ]),
      )}
      ${pager(visit, { ...page, count: LIST_COUNT }, (start) =>
        withQuery(CONSOLE.users, { ...filter, start }),
      )}`,
  );
}

const blockState = (
  visit: ConsoleVisit,
  { blocked_reason, blocked_until }: UserAccountRow,
  path: string,
): Html => {
  const { blocks, users } = visit.words;
  return html`<p>${blocks.since(blocked_reason ?? '')}</p>
    <p>${blocked_until ? blocks.ends(blocked_until) : blocks.endless}</p>
    ${buttonForm(visit, { action: `${path}/unblock`, label: users.unblock })}`;
};

const blockForm = (visit: ConsoleVisit, path: string): Html => {
  const { blocks, users } = visit.words;
  return html`<form method="post" action="${path}/block">
    ${csrfField(visit)}
    <label for="block-reason">${blocks.reason}</label>
    <input type="text" id="block-reason" name="reason" maxlength="1000" />
    ${textInput('until', blocks.until, '', 'date')}
    <button class="small danger">${users.block}</button>
  </form>`;
};

/** The page of a user: no mail, no passwords, no private texts. */
export function userPage(
  visit: ConsoleVisit,
  user: UserAccountRow,
  apps: readonly Authorized[],
  texts: TextsOfUser,
): Html {
  const { words } = visit;
  const path = `${CONSOLE.users}/${user.id}`;
  return consolePage(
    visit,
    { title: user.uid, area: 'users' },
    html`${crumbs(words.areas.users, [{ href: CONSOLE.users, label: words.areas.users }])}
      <h1>${user.name} ${user.blocked && badge(words.users.blocked, 'danger')}</h1>
      ${definitions([
        ['id', user.id],
        ['uid', user.uid],
        [words.users.role, words.users.roles[user.role]],
        [words.users.created, user.created],
      ])}
      <p class="ways">
        <a href="${withQuery(CONSOLE.log, { kind: 'user', id: user.id })}"
          >${words.users.history}</a
        >
        <a href="${withQuery(CONSOLE.log, { actor: user.uid })}">${words.users.actions}</a>
      </p>
      <div class="columns">
        <div>
          <h2>${words.users.access}</h2>
          ${user.blocked ? blockState(visit, user, path) : blockForm(visit, path)}
        </div>
        <div>
          <h2>${words.users.role}</h2>
          <form method="post" class="row" action="${path}/role">
            ${csrfField(visit)}
            ${select(
              'role',
              words.users.role,
              ROLES.map((role): [string, string] => [role, words.users.roles[role]]),
              user.role,
            )}
            <button class="quiet">${words.save}</button>
          </form>
        </div>
      </div>
      <h2>${words.users.apps}</h2>
      ${tableOrNone(
        visit,
        words.users.apps,
        [words.name, words.applications.scopes, words.users.granted, ''],
        apps.map((app) => [
          html`<a href="${CONSOLE.applications}/${app.client_id}">${app.name}</a>`,
          app.scopes.join(', '),
          day(app.since),
          buttonForm(visit, {
            action: `${path}/revoke`,
            label: words.blocks.revoke,
            fields: { client_id: app.client_id },
          }),
        ]),
      )}
      ${textTables(visit, texts)}`,
  );
}
