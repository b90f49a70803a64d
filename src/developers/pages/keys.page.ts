import { SECRET_OVERLAP } from '../../oauth/applications.service';
import { definitions, notice } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { csrfField } from '../../web/layout';
import { developersMessages } from '../messages/messages';
import { pathOf } from '../paths';
import { applicationPage, type ApplicationView } from './frame';

const DAY = 24 * 3600;

/** Name of the field with the creation time of the secret to replace. */
export const CURRENT_SECRET = 'current_secret';

/** The content of the tab with the keys. */
export interface KeysView extends ApplicationView {
  /** A new secret, while this browser may still see it. */
  readonly secret: string | undefined;
}

function newSecretPart({ visitor, application, secret }: KeysView): Piece {
  if (secret === undefined) return undefined;
  const more = developersMessages(visitor.messages.lang);
  return notice(
    'good',
    html`<p><strong>${more.secretTime}</strong></p>
      <p><span class="secret" id="secret">${secret}</span></p>
      <form method="post" action="${pathOf(application.client_id, 'keys')}/stored">
        ${csrfField(visitor)}
        <button class="quiet">${more.secretStored}</button>
      </form>`,
  );
}

function secretsPart({ visitor, application, day }: KeysView): Html {
  const words = visitor.messages.developer;
  if (application.public) return html`<p class="soft">${words.noSecret}</p>`;
  const lines = application.secrets.map(({ since, until }) => {
    const end = until === null ? '' : ` · ${words.secretUntil(day(new Date(until)))}`;
    return html`<li>${words.secretSince(day(new Date(since)))}${end}</li>`;
  });
  const current = application.secrets.find(({ until }) => until === null);
  return html`<h2>${words.secrets}</h2>
    <ul>
      ${lines}
    </ul>
    <form method="post" action="${pathOf(application.client_id)}/secret">
      ${csrfField(visitor)}
      <input type="hidden" name="${CURRENT_SECRET}" value="${current?.since ?? ''}" />
      <p class="soft">${words.rotateHint(SECRET_OVERLAP / DAY)}</p>
      <button class="quiet">${words.rotate}</button>
    </form>`;
}

/** The test key of an application, or its deletion on its own page. */
function testPart({ visitor, application }: KeysView): Piece {
  const { test } = developersMessages(visitor.messages.lang);
  const { client_id: clientId, test_key: testKey, test_of: testOf } = application;
  const button = (action: string, label: string): Html =>
    html`<form method="post" action="${pathOf(clientId)}/${action}">
      ${csrfField(visitor)}<button class="quiet">${label}</button>
    </form>`;
  if (testOf !== null)
    return html`<h2>${test.deleteTitle}</h2>
      <p class="soft">${test.deleteHint}</p>
      ${button('test/delete', test.deleteButton)}`;
  if (testKey === null && application.blocked_at !== null) return undefined;
  return html`<h2>${test.title}</h2>
    <p>${test.hint}</p>
    ${
      testKey === null
        ? button('test', test.create)
        : html`<p><a href="${pathOf(testKey, 'keys')}">${test.open}</a> <code>${testKey}</code></p>`
    }`;
}

/** The key and the secrets of an application. */
export function keysPage(view: KeysView): Html {
  const { visitor, application } = view;
  const words = visitor.messages.developer;
  return applicationPage(
    view,
    'keys',
    html`${newSecretPart(view)}
    ${definitions([[words.key, html`<code id="client_id">${application.client_id}</code>`]])}
    ${secretsPart(view)}${testPart(view)}`,
  );
}
