import { html, type Html } from '../../web/html';
import { csrfField } from '../../web/layout';
import { logo } from '../../web/application-logo';
import { developersMessages } from '../messages/messages';
import { pathOf } from '../paths';
import { type ApplicationForm } from '../developers.service';
import { applicationPage, type ApplicationView } from './frame';
import { nameFields } from './list.page';

/** The content of the tab with the settings. */
export interface SettingsView extends ApplicationView {
  readonly form: ApplicationForm;
  /** An error of the uploaded logo. */
  readonly logoError?: string;
}

function logoPart({ visitor, application, logoError }: SettingsView): Html {
  const { logo: words } = developersMessages(visitor.messages.lang);
  const path = `${pathOf(application.client_id)}/logo`;
  const hasLogo = application.logo !== null;
  const isWrong = logoError !== undefined;
  return html`<h2>${words.title}</h2>
    <div class="named heading">
      ${logo(application.name, application.logo, 'large')}
      <p>${hasLogo ? words.lead : words.none}</p>
    </div>
    <form method="post" action="${path}" enctype="multipart/form-data">
      ${csrfField(visitor)}
      <label for="logo"
        >${hasLogo ? words.newPicture : words.picture}<small id="logo-hint"
          >${words.hint}</small
        ></label
      >
      ${isWrong && html`<p class="error" id="logo-error" role="alert">${logoError}</p>`}
      <input
        type="file"
        id="logo"
        name="logo"
        required
        accept="image/jpeg,image/png,image/gif,image/bmp"
        aria-describedby="logo-hint${isWrong && ' logo-error'}"
        ${isWrong && html`aria-invalid="true"`}
      />
      <div class="buttons">
        <button>${hasLogo ? words.replace : words.upload}</button>
        ${hasLogo && html`<button class="danger" form="delete-logo">${words.delete}</button>`}
      </div>
    </form>
    ${
      hasLogo &&
      html`<form method="post" action="${path}/delete" id="delete-logo">
        ${csrfField(visitor)}
      </form>`
    }`;
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

/** The logo, name, presentation and redirect URIs of an application, and its deletion. */
export function settingsPage(view: SettingsView): Html {
  const { visitor, application, form } = view;
  const words = visitor.messages.developer;
  const more = developersMessages(visitor.messages.lang);
  return applicationPage(
    view,
    'settings',
    html`${logoPart(view)}
      <h2>${more.details}</h2>
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
