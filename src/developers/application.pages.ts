import { type Scope } from '../api/access/access';
import { type DayOfUse } from '../limits/usage.service';
import { type ApplicationDetails, type Decision } from '../oauth/applications.repository';
import { SECRET_OVERLAP } from '../oauth/applications.service';
import { currentStates } from '../oauth/approvals.service';
import { LIFETIMES } from '../oauth/lifetimes';
import { html, type Html, type Piece } from '../web/html';
import { flash, csrfField, layout, PATHS, type Visitor } from '../web/layout';
import { deprecatedPart, type DeprecatedOperation } from './deprecated.pages';
import { nameFields, pathOf } from './developer.pages';
import { isMovieScope, missingFrom, type RequestForm } from './developers.service';

const DAY = 24 * 3600;

/** The content of an application's page. */
export interface ApplicationView {
  readonly application: ApplicationDetails;
  /** Requests per user and hour; null for no limit. */
  readonly perHour: number | null;
  readonly use: readonly DayOfUse[];
  /** Deprecated operations that it called in the last 30 days. */
  readonly deprecated: readonly DeprecatedOperation[];
  /** Contact of the operator (`CONTACT`); empty when it is not set. */
  readonly contact: string;
  readonly day: (date: Date) => string;
  /** Base URL of the API without a trailing slash. */
  readonly baseUrl: string;
  /** A new secret; shown only once. */
  readonly secret?: string;
  readonly notice?: string;
  readonly fault?: string;
  /** A rejected request, to fill the form again. */
  readonly requestForm?: RequestForm;
}

function secretPart(visitor: Visitor, secret: string | undefined): Piece {
  const words = visitor.messages.developer;
  if (secret === undefined) return undefined;
  return html`<p class="note">${words.secretOnce}</p>
    <p><strong>${words.secret}</strong> <span class="secret" id="secret">${secret}</span></p>`;
}

function blockedPart(visitor: Visitor, { application, contact: fallback }: ApplicationView): Piece {
  const words = visitor.messages.developer;
  if (application.blocked_at === null) return undefined;
  const contact = application.blocked_contact || fallback;
  const address = contact.includes('@') ? `mailto:${contact}` : contact;
  return html`<div role="alert">
    <p class="error">
      <strong>${words.blockedTitle}</strong><br />
      ${words.blocked(application.blocked_reason || words.noReason)}<br />
      ${words.writeTo} ${contact === '' ? words.nobody : html`<a href="${address}">${contact}</a>`}
    </p>
  </div>`;
}

function tryPart(visitor: Visitor, { application, baseUrl }: ApplicationView): Html {
  const key = encodeURIComponent(application.client_id);
  const [uri] = application.redirect_uris;
  const query = `response_type=code&client_id=${key}&redirect_uri=${encodeURIComponent(uri ?? '')}`;
  // A public application must send a PKCE challenge, which only its own code can create.
  const address = !application.public && uri !== undefined && `${PATHS.authorize}?${query}`;
  return html`<h2>${visitor.messages.developer.tryIt}</h2>
    <p><code>curl '${baseUrl}/v2/book/1?apikey=${key}'</code></p>
    ${address !== false && html`<p><a href="${address}">${address}</a></p>`}`;
}

function secretsPart(visitor: Visitor, { application, day }: ApplicationView): Html {
  const words = visitor.messages.developer;
  if (application.public) return html`<p class="soft">${words.noSecret}</p>`;
  const lines = application.secrets.map(({ since, until }) => {
    const end = until === null ? '' : ` · ${words.secretUntil(day(new Date(until)))}`;
    return html`<li>${words.secretSince(day(new Date(since)))}${end}</li>`;
  });
  return html`<h2>${words.secrets}</h2>
    <ul>
      ${lines}
    </ul>
    <form method="post" action="${pathOf(application.client_id)}/secret">
      ${csrfField(visitor)}
      <p class="soft">${words.rotateHint(SECRET_OVERLAP / DAY)}</p>
      <button class="quiet">${words.rotate}</button>
    </form>`;
}

function scopesPart(visitor: Visitor, { application }: ApplicationView): Html {
  const { developer: words, scopes: meanings } = visitor.messages;
  const states = currentStates(application.decisions);
  const waiting = [...states.values()].filter(
    ({ subject, state }) => state !== 'approved' && subject !== 'application',
  );
  return html`<h2>${words.scopes}</h2>
    <ul>
      ${application.scopes.map(
        (scope) => html`<li><code>${scope}</code> ${meanings[scope as Scope]}</li>`,
      )}
      ${waiting
        .filter(({ subject }) => !application.scopes.includes(subject))
        .map(
          ({ subject, state }) =>
            html`<li class="soft"><code>${subject}</code> ${words.states[state]}</li>`,
        )}
    </ul>`;
}

function historyRow(visitor: Visitor, decision: Decision, day: string): Html {
  const words = visitor.messages.developer;
  const { subject, state, actor, reason } = decision;
  return html`<tr>
    <td>${subject === 'application' ? words.application : html`<code>${subject}</code>`}</td>
    <td>${words.states[state]}</td>
    <td>${actor}</td>
    <td>${day}</td>
    <td>${reason}</td>
  </tr>`;
}

function historyPart(visitor: Visitor, { application, day }: ApplicationView): Piece {
  const words = visitor.messages.developer;
  if (application.decisions.length === 0) return undefined;
  const heads = [words.subject, words.state, words.who, words.when, words.reason];
  return html`<h2>${words.history}</h2>
    <div class="table">
      <table>
        <thead>
          <tr>
            ${heads.map((head) => html`<th>${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${application.decisions.map((one) => historyRow(visitor, one, day(new Date(one.at))))}
        </tbody>
      </table>
    </div>`;
}

function requestPart(visitor: Visitor, { application, requestForm }: ApplicationView): Html {
  const { developer: words, scopes: meanings } = visitor.messages;
  const { scopes, levels } = missingFrom(application);
  if (scopes.length === 0 && levels.length === 0) return html`<p>${words.askedAll}</p>`;
  const conditions = html`<fieldset>
    <legend>${words.conditionsTitle}</legend>
    <ol>
      ${words.conditions.map((one) => html`<li>${one}</li>`)}
    </ol>
    <label class="choice">
      <input type="checkbox" name="agreed" value="yes" ${requestForm?.agreed && html`checked`} />
      ${words.agree}
    </label>
  </fieldset>`;
  return html`<h2>${words.ask}</h2>
    <form method="post" action="${pathOf(application.client_id)}/request">
      ${csrfField(visitor)}
      ${
        scopes.length > 0 &&
        html`<fieldset>
          <legend>${words.askScopes}</legend>
          ${scopes.map(
            (scope) =>
              html`<label class="choice">
                <input
                  type="checkbox"
                  name="scope"
                  value="${scope}"
                  ${requestForm?.scopes.includes(scope) && html`checked`}
                />
                <span><code>${scope}</code> ${meanings[scope as Scope]}</span>
              </label>`,
          )}
        </fieldset>`
      }
      ${
        levels.length > 0 &&
        html`<label for="level">${words.askLevel}</label>
          <select id="level" name="level">
            <option value="">${words.askNothing}</option>
            ${levels.map((level) => html`<option value="${level}" ${requestForm?.level === level && html`selected`}>${level}</option>`)}
          </select>`
      }
      <label for="reason">${words.askReason}</label>
      <textarea id="reason" name="reason" required maxlength="2000">
${requestForm?.reason}</textarea>
      ${scopes.some(isMovieScope) && conditions}
      <button>${words.askButton}</button>
    </form>`;
}

function usePart(visitor: Visitor, { use }: ApplicationView): Html {
  const words = visitor.messages.developer;
  if (use.length === 0)
    return html`<h2>${words.use}</h2>
      <p class="soft">${words.noUse}</p>`;
  const number = (value: number): string => value.toLocaleString(visitor.messages.lang);
  const rows = use.map(
    ({ day, requests, rejected, peak, peakLimit }) =>
      html`<tr>
        <td>${day}</td>
        <td class="number">${number(requests)}</td>
        <td class="number">${number(rejected)}</td>
        <td class="number">${peakLimit > 0 && words.of(number(peak), number(peakLimit))}</td>
      </tr>`,
  );
  return html`<h2>${words.use}</h2>
    <div class="table">
      <table>
        <thead>
          <tr>
            <th>${words.day}</th>
            <th class="number">${words.calls}</th>
            <th class="number">${words.refused}</th>
            <th class="number">${words.peak}</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

/** The page of one application, for its developer. */
export function applicationPage(visitor: Visitor, view: ApplicationView): Html {
  const words = visitor.messages.developer;
  const { application, perHour, day, secret, notice, fault } = view;
  const { access, refresh } = LIFETIMES[application.level];
  const limit =
    perHour === null ? words.noLimit : words.perHour(perHour.toLocaleString(visitor.messages.lang));
  const form = {
    name: application.name,
    redirectUris: application.redirect_uris.join('\n'),
    isPublic: application.public,
  };
  return layout(
    { ...visitor, here: pathOf(application.client_id) },
    application.name,
    html`<p><a href="${PATHS.developer}">← ${words.all}</a></p>
      <h1>${application.name}</h1>
      ${blockedPart(visitor, view)}${flash('good', notice)}${flash('error', fault)}
      ${secretPart(visitor, secret)}
      <dl>
        <dt>${words.key}</dt>
        <dd><code id="client_id">${application.client_id}</code></dd>
        <dt>${words.made}</dt>
        <dd>${day(application.created_at)}</dd>
        <dt>${words.level}</dt>
        <dd>${application.level} · ${words.tokens(access / DAY, refresh / DAY)}</dd>
        <dt>${words.limit}</dt>
        <dd>${limit}</dd>
      </dl>
      ${tryPart(visitor, view)}${usePart(visitor, view)}${deprecatedPart(visitor, view.deprecated)}${scopesPart(visitor, view)}${requestPart(visitor, view)}
      ${historyPart(visitor, view)}${secretsPart(visitor, view)}
      <h2>${words.settings}</h2>
      <form method="post" action="${pathOf(application.client_id)}/settings">
        ${csrfField(visitor)}${nameFields(visitor, form)}
        <button class="quiet">${words.save}</button>
      </form>`,
  );
}
