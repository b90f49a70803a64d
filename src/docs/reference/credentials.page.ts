import { html, type Html } from '../../web/html';
import { PATHS } from '../../web/layout';
import { type DocsMessages } from '../messages/docs-messages';

/** Path of the apps of a signed-in developer and of tokens for them. The script requests it. */
export const CREDENTIALS_PATH = '/service/docs/credentials';

/**
 * The form with the credentials that the forms of all operations send. The script fills in the apps
 * of a signed-in developer.
 *
 * @param hasSecret whether operations need the secret of the app, which no storage of the browser
 *   keeps
 */
export function credentialsSection({ tryIt }: DocsMessages, hasSecret: boolean): Html {
  return html`<details class="fold" id="credentials">
    <summary>${tryIt.credentials}</summary>
    <div
      class="credentials"
      data-source="${CREDENTIALS_PATH}"
      data-sign-in="${PATHS.signIn}"
      data-developer="${PATHS.developer}"
    >
      <div>
        <label for="try-key">${tryIt.key}</label>
        <input type="text" id="try-key" autocomplete="off" spellcheck="false" />
      </div>
      <div>
        <label for="try-token">${tryIt.token}</label>
        <input type="text" id="try-token" autocomplete="off" spellcheck="false" />
      </div>
      ${
        hasSecret &&
        html`<div>
          <label for="try-secret">${tryIt.secret}</label>
          <input type="password" id="try-secret" autocomplete="off" spellcheck="false" />
        </div>`
      }
      <p class="full small soft">${tryIt.stays} ${hasSecret && tryIt.secretStays}</p>
      <p class="full" id="try-apps-line" hidden>
        <button type="button" class="quiet small" id="try-apps">${tryIt.apps}</button>
      </p>
      <div id="try-app-choice" hidden>
        <label for="try-app">${tryIt.app}</label>
        <select id="try-app"></select>
      </div>
      <p id="try-token-line" hidden>
        <button type="button" class="small" id="try-get-token">${tryIt.getToken}</button>
      </p>
      <p class="full" id="try-sign-in" hidden><a href="${PATHS.signIn}">${tryIt.signIn}</a></p>
      <p class="full" id="try-no-apps" hidden><a href="${PATHS.developer}">${tryIt.noApps}</a></p>
      <p
        class="full"
        role="status"
        id="try-status"
        data-got="${tryIt.got}"
        data-failed="${tryIt.failed}"
      ></p>
    </div>
  </details>`;
}
