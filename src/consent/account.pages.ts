import { type Scope } from '../api/access/access';
import { type Authorized } from '../oauth/grants.repository';
import { html, type Html } from '../web/html';
import { flash, csrfField, layout, PATHS, type Visitor } from '../web/layout';
import { logo } from '../web/application-logo';

/** The result of the previous form, shown on the page. */
export interface AccountNews {
  readonly notice?: string;
  readonly fault?: string;
}

function entry(visitor: Visitor, application: Authorized, since: string): Html {
  const { account: words, scopes: meanings } = visitor.messages;
  return html`<li>
    <div class="named heading">
      ${logo(application.name, application.logo)}
      <div>
        <strong>${application.name}</strong><br />
        <span class="soft">${words.since(since)}</span>
      </div>
    </div>
    <ul>
      ${application.scopes.map((scope) => html`<li>${meanings[scope as Scope]}</li>`)}
    </ul>
    <form method="post" action="${PATHS.account}/revoke">
      ${csrfField(visitor)}
      <input type="hidden" name="client_id" value="${application.client_id}" />
      <button class="danger">${words.revoke}</button>
    </form>
  </li>`;
}

/** The account page with authorized apps and the password form. */
export function accountPage(
  visitor: Visitor,
  authorized: readonly Authorized[],
  day: (date: Date) => string,
  notices: AccountNews,
): Html {
  const words = visitor.messages.account;
  return layout(
    { ...visitor, here: PATHS.account },
    words.title,
    html`<h1>${words.title}</h1>
      ${flash('good', notices.notice)}${flash('error', notices.fault)}
      ${
        authorized.length === 0
          ? html`<p>${words.none}</p>`
          : html`<p class="lead">${words.lead}</p>
              <ul class="plain">
                ${authorized.map((one) => entry(visitor, one, day(one.since)))}
              </ul>`
      }
      <h2>${words.password}</h2>
      <form method="post" action="${PATHS.account}/password">
        ${csrfField(visitor)}
        <input type="text" name="uid" value="${visitor.uid}" autocomplete="username" hidden />
        <label for="current">${words.current}</label>
        <input
          type="password"
          id="current"
          name="current"
          required
          autocomplete="current-password"
        />
        <label for="fresh">${words.fresh}</label>
        <input
          type="password"
          id="fresh"
          name="fresh"
          required
          minlength="8"
          autocomplete="new-password"
        />
        <label class="choice">
          <input type="checkbox" name="keep_apps" value="yes" />
          <span>${words.keepApps}<small>${words.keepAppsHint}</small></span>
        </label>
        <button class="quiet">${words.change}</button>
      </form>
      <h2>${words.everywhere}</h2>
      <p>${words.everywhereHint}</p>
      <form method="post" action="${PATHS.account}/sign-out-everywhere">
        ${csrfField(visitor)}<button class="quiet">${words.everywhereButton}</button>
      </form>`,
  );
}
