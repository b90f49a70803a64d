import { type Page } from '../../api/resources/page';
import { ROLES } from '../../api/access/access';
import { type Authorized } from '../../oauth/grants.repository';
import { type UserAccountRow } from '../../users/user-accounts.repository';
import { badge, crumbs, definitions } from '../../web/components';
import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { type ConsoleSession } from '../access/console-sessions.service';
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
  session: ConsoleSession,
  filter: UsersFilter,
  page: Page<UserAccountRow>,
): Html {
  const { words } = session;
  const texts = words.users;
  return consolePage(
    session,
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
        session,
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
      ${pager(session, { ...page, count: LIST_COUNT }, (start) =>
        withQuery(CONSOLE.users, { ...filter, start }),
      )}`,
  );
}

const blockState = (
  session: ConsoleSession,
  { blocked_reason, blocked_until }: UserAccountRow,
  path: string,
): Html => {
  const { blocks, users } = session.words;
  return html`<p>${blocks.since(blocked_reason ?? '')}</p>
    <p>${blocked_until ? blocks.ends(blocked_until) : blocks.endless}</p>
    ${buttonForm(session, { action: `${path}/unblock`, label: users.unblock })}`;
};

const blockForm = (session: ConsoleSession, path: string): Html => {
  const { blocks, users } = session.words;
  return html`<form method="post" action="${path}/block">
    ${csrfField(session)}
    <label for="block-reason">${blocks.reason}</label>
    <input type="text" id="block-reason" name="reason" maxlength="1000" />
    ${textInput('until', blocks.until, '', 'date')}
    <button class="small danger">${users.block}</button>
  </form>`;
};

/** The page of a user: no mail, no passwords, no private texts. */
export function userPage(
  session: ConsoleSession,
  user: UserAccountRow,
  apps: readonly Authorized[],
  texts: TextsOfUser,
): Html {
  const { words } = session;
  const path = `${CONSOLE.users}/${user.id}`;
  return consolePage(
    session,
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
          ${user.blocked ? blockState(session, user, path) : blockForm(session, path)}
        </div>
        <div>
          <h2>${words.users.role}</h2>
          <form method="post" class="row" action="${path}/role">
            ${csrfField(session)}
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
        session,
        words.users.apps,
        [words.name, words.applications.scopes, words.users.granted, ''],
        apps.map((app) => [
          html`<a href="${CONSOLE.applications}/${app.client_id}">${app.name}</a>`,
          app.scopes.join(', '),
          day(app.since),
          buttonForm(session, {
            action: `${path}/revoke`,
            label: words.blocks.revoke,
            fields: { client_id: app.client_id },
          }),
        ]),
      )}
      ${textTables(session, texts)}`,
  );
}
