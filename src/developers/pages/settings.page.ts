import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { developersMessages } from '../messages/messages';
import { pathOf } from '../paths';
import { type ApplicationForm } from '../developers.service';
import { applicationPage, type ApplicationView } from './frame';
import { nameFields } from './list.page';

/** The content of the tab with the settings. */
export interface SettingsView extends ApplicationView {
  readonly form: ApplicationForm;
}

function deletePart({ visitor, application }: SettingsView): Html {
  const more = developersMessages(visitor.messages.lang);
  if (application.blocked_at !== null)
    return html`<h2>${more.delete}</h2>
      <p class="soft">${more.deleteBlocked}</p>`;
  return html`<h2>${more.delete}</h2>
    <form method="post" action="${pathOf(application.client_id)}/delete">
      ${csrfField(visitor)}
      <p>${more.deleteHint}</p>
      <label for="confirm">${more.deleteConfirm(application.name)}</label>
      <input type="text" id="confirm" name="confirm" required autocomplete="off" maxlength="60" />
      <button class="danger">${more.deleteButton}</button>
    </form>`;
}

/** The name, presentation and redirect URIs of an application, and its deletion. */
export function settingsPage(view: SettingsView): Html {
  const { visitor, application, form } = view;
  const words = visitor.messages.developer;
  const more = developersMessages(visitor.messages.lang);
  return applicationPage(
    view,
    'settings',
    html`<h2>${more.details}</h2>
      <form method="post" action="${pathOf(application.client_id, 'settings')}">
        ${csrfField(visitor)}${nameFields(visitor, form)}
        <label for="description">${more.description}<small>${more.descriptionHint}</small></label>
        <textarea id="description" name="description" maxlength="300">${form.description}</textarea>
        <label for="homepage">${more.homepage}<small>${more.homepageHint}</small></label>
        <input
          type="text"
          inputmode="url"
          id="homepage"
          name="homepage"
          value="${form.homepage}"
          maxlength="300"
        />
        <button>${words.save}</button>
      </form>
      ${deletePart(view)}`,
  );
}
