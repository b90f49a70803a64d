import { type Scope } from '../../api/access/access';
import { type Decision } from '../../oauth/applications.repository';
import { currentStates } from '../../oauth/approvals.service';
import { badge, table } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { isMovieScope, missingFrom, type RequestForm } from '../developers.service';
import { developersMessages } from '../messages/messages';
import { pathOf } from '../paths';
import { applicationPage, type ApplicationView } from './frame';

/** The content of the tab with the permissions. */
export interface PermissionsView extends ApplicationView {
  /** A rejected request, to fill the form again. */
  readonly requestForm?: RequestForm;
}

/** Scopes and levels with their meaning and latest decision. */
function subjectList({ visitor, day }: PermissionsView, decisions: readonly Decision[]): Html {
  const { developer: words, scopes: meanings } = visitor.messages;
  const more = developersMessages(visitor.messages.lang);
  return html`<ul>
    ${decisions.map(
      ({ subject, state, reason, at }) =>
        html`<li>
          <code>${subject}</code> ${meanings[subject as Scope]}
          ${badge(words.states[state], state === 'asked' ? 'warn' : 'danger')}
          <span class="soft">${more.on(day(new Date(at)))}</span>
          ${reason !== '' && html`<br /><span class="soft">${more.because(reason)}</span>`}
        </li>`,
    )}
  </ul>`;
}

function scopesPart(view: PermissionsView): Html {
  const { visitor, application } = view;
  const meanings = visitor.messages.scopes;
  const more = developersMessages(visitor.messages.lang);
  const current = [...currentStates(application.decisions).values()].filter(
    ({ subject }) => subject !== 'application',
  );
  const asked = current.filter(({ state }) => state === 'asked');
  const refused = current.filter(({ state }) => state === 'declined' || state === 'suspended');
  return html`<h2>${more.granted}</h2>
    ${
      application.scopes.length === 0
        ? html`<p class="soft">${more.grantedNone}</p>`
        : html`<ul>
            ${application.scopes.map(
              (scope) => html`<li><code>${scope}</code> ${meanings[scope as Scope]}</li>`,
            )}
          </ul>`
    }
    ${
      asked.length > 0 &&
      html`<h2>${more.asked}</h2>
        ${subjectList(view, asked)}`
    }
    ${
      refused.length > 0 &&
      html`<h2>${more.refused}</h2>
        ${subjectList(view, refused)}`
    }`;
}

function historyPart({ visitor, application, day }: PermissionsView): Piece {
  const words = visitor.messages.developer;
  if (application.decisions.length === 0) return undefined;
  const heads = [words.subject, words.state, words.who, words.when, words.reason];
  return html`<h2>${words.history}</h2>
    ${table(
      words.history,
      heads.map((title) => ({ title })),
      application.decisions.map(({ subject, state, actor, reason, at }) => [
        subject === 'application' ? words.application : html`<code>${subject}</code>`,
        words.states[state],
        actor,
        day(new Date(at)),
        reason,
      ]),
    )}`;
}

function requestPart({ visitor, application, requestForm }: PermissionsView): Html {
  const { developer: words, scopes: meanings } = visitor.messages;
  const states = currentStates(application.decisions);
  const isWaiting = (subject: string): boolean => states.get(subject)?.state === 'asked';
  const missing = missingFrom(application);
  const scopes = missing.scopes.filter((scope) => !isWaiting(scope));
  const levels = missing.levels.filter((level) => !isWaiting(level));
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

/** Granted, requested and declined permissions, the form to request more, and the history. */
export const permissionsPage = (view: PermissionsView): Html =>
  applicationPage(
    view,
    'permissions',
    html`${scopesPart(view)}${requestPart(view)}${historyPart(view)}`,
  );
