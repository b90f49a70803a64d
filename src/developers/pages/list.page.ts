import { type ApplicationRow } from '../../oauth/applications.repository';
import { badge, emptyState } from '../../web/components';
import { html, type Html } from '../../web/html';
import { flash, csrfField, layout, PATHS, type Visitor } from '../../web/layout';
import { logo } from '../../web/application-logo';
import { type ApplicationForm } from '../developers.service';
import { pathOf } from '../paths';

export const EMPTY_FORM: ApplicationForm = {
  name: '',
  redirectUris: '',
  isPublic: false,
  homepage: '',
  description: '',
};

/** The fields for a name and redirect URIs. */
export const nameFields = (visitor: Visitor, form: ApplicationForm): Html => {
  const words = visitor.messages.developer;
  return html`<label for="name">${words.name}<small>${words.nameHint}</small></label>
    <input type="text" id="name" name="name" value="${form.name}" required maxlength="60" />
    <label for="redirect_uris">${words.redirectUris}<small>${words.redirectHint}</small></label>
    <textarea id="redirect_uris" name="redirect_uris" spellcheck="false" autocapitalize="none">
${form.redirectUris}</textarea>`;
};

function createForm(visitor: Visitor, form: ApplicationForm): Html {
  const words = visitor.messages.developer;
  const kind = (value: string, label: string, checked: boolean): Html =>
    html`<label class="choice">
      <input type="radio" name="kind" value="${value}" ${checked && html`checked`} /> ${label}
    </label>`;
  return html`<h2>${words.create}</h2>
    <form method="post" action="${PATHS.developer}/applications">
      ${csrfField(visitor)}${nameFields(visitor, form)}
      <fieldset>
        <legend>${words.kind}</legend>
        ${kind('confidential', words.confidential, !form.isPublic)}
        ${kind('public', words.isPublic, form.isPublic)}
      </fieldset>
      <button>${words.createButton}</button>
    </form>`;
}

/** The list of a developer's applications, with the form to create one. */
export function developerPage(
  visitor: Visitor,
  applications: readonly ApplicationRow[],
  form: ApplicationForm,
  { notice, error }: { readonly notice?: string; readonly error?: string } = {},
): Html {
  const words = visitor.messages.developer;
  const list = applications.map(
    (one) =>
      html`<li class="named">
        ${logo(one.name, one.logo)}
        <div>
          <a href="${pathOf(one.client_id)}">${one.name}</a>
          ${one.blocked_at !== null && badge(words.states.blocked, 'danger')}
          <br /><code class="soft">${one.client_id}</code>
        </div>
      </li>`,
  );
  return layout(
    { ...visitor, here: PATHS.developer },
    words.title,
    html`<h1>${words.title}</h1>
      ${flash('good', notice)}${flash('error', error)}
      ${
        list.length === 0
          ? emptyState(words.none)
          : html`<ul class="plain">
              ${list}
            </ul>`
      }
      ${createForm(visitor, form)}`,
  );
}
