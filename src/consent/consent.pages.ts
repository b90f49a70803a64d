import { confirmPasswordField, type Confirmation } from '../accounts/password-confirmation';
import { type Scope } from '../api/access/access';
import { html, type Html } from '../web/html';
import { csrfField, layout, PATHS, type Visitor } from '../web/layout';
import { logo } from '../web/application-logo';
import { type Parameters } from '../oauth/parameters';
import { consentMessages } from './consent.messages';
import { shownFields, type AuthorizationRequest } from './authorization-request';

/** Parameters of the authorization request that the form repeats as hidden fields. */
const HIDDEN_AUTHORIZATION_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

const hostOf = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri);
  return host === '' ? protocol : host;
};

/** Who registered the application, and how it presents itself. */
function applicationPart(visitor: Visitor, client: AuthorizationRequest['client']): Html {
  const words = consentMessages(visitor.messages.lang);
  const { owner, homepage, description } = client;
  return html`<div class="note named top">
    ${logo(client.name, client.logo, 'large')}
    <div>
      <p><strong>${client.name}</strong></p>
      ${description !== '' && html`<p>${description}</p>`}
      <p class="soft">${owner === undefined ? words.byService : words.by(owner)}</p>
      ${
        homepage !== '' &&
        html`<p>
          ${words.homepage}:
          <a href="${homepage}" target="_blank" rel="noopener noreferrer nofollow"
            >${hostOf(homepage)}</a
          >
        </p>`
      }
    </div>
  </div>`;
}

function passwordPart({ messages }: Visitor, isWrong: boolean): Html {
  const words = consentMessages(messages.lang);
  return html`<p>${words.confirm}</p>
    ${isWrong && html`<p class="error" role="alert">${words.wrong}</p>`}
    ${confirmPasswordField(words.password, { required: false })}`;
}

/** The state of the consent page. */
interface ConsentState {
  /** Whether the page asks for the password, and whether the entered one was wrong. */
  readonly password?: 'unneeded' | Exclude<Confirmation, 'right'>;
  /** Whether the request changed since the user saw the page. */
  readonly isChanged?: boolean;
}

/** The consent page with the requested scopes. */
export function consentPage(
  visitor: Visitor,
  request: AuthorizationRequest,
  parameters: Parameters,
  { password = 'unneeded', isChanged = false }: ConsentState = {},
): Html {
  const { client, redirectUri, scopes } = request;
  const { consent: words, scopes: meanings } = visitor.messages;
  const repeated = HIDDEN_AUTHORIZATION_PARAMETERS.map((name) => [name, parameters[name]] as const);
  const hiddenInputs = [...repeated, ...Object.entries(shownFields(request))]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  const title = words.title(client.name);
  return layout(
    visitor,
    title,
    html`<h1>${title}</h1>
      <p class="lead">${words.as(visitor.uid ?? '')}</p>
      ${
        isChanged &&
        html`<p class="error" role="alert">${consentMessages(visitor.messages.lang).changed}</p>`
      }
      ${applicationPart(visitor, client)}
      <p>${words.wants}</p>
      <ul>
        ${scopes.map(
          (scope) => html`<li>${meanings[scope as Scope]} <code class="soft">${scope}</code></li>`,
        )}
      </ul>
      <p class="note">${words.noMore}<br />${words.goesTo(hostOf(redirectUri))}</p>
      <form method="post" action="${PATHS.authorize}">
        ${csrfField(visitor)}${hiddenInputs}
        ${password !== 'unneeded' && passwordPart(visitor, password === 'wrong')}
        <div class="buttons">
          <button name="decision" value="allow">${words.allow}</button>
          <button class="quiet" name="decision" value="deny">${words.deny}</button>
        </div>
      </form>`,
  );
}

/** The error page for invalid authorization requests that must not redirect. */
export function faultPage(
  visitor: Visitor,
  description: string,
  code: string,
  blocked: boolean,
): Html {
  const words = visitor.messages.consent;
  const title = blocked ? words.blockedTitle : words.badTitle;
  return layout(
    visitor,
    title,
    html`<h1>${title}</h1>
      <p>${words.bad}</p>
      <p class="error" role="alert">${description}</p>
      <p class="soft">${code}</p>`,
  );
}
