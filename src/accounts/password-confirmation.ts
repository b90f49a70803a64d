import { html, type Html } from '../web/html';
import { type AccountsService } from './accounts.service';
import { field, type UserSession } from './browser-sessions.service';

/** Name of the field with the password that confirms a dangerous step. */
export const CONFIRM_PASSWORD = 'confirm_password';

/** The field of {@link CONFIRM_PASSWORD} with its label. */
export const confirmPasswordField = (
  label: string,
  { required }: { readonly required: boolean },
): Html =>
  html`<label for="confirm">${label}</label>
    <input
      type="password"
      id="confirm"
      name="${CONFIRM_PASSWORD}"
      autocomplete="current-password"
      ${required && html`required autofocus`}
    />`;

/** Whether a form confirms its session: its password is right, wrong, or not given. */
export type Confirmation = 'right' | 'wrong' | 'missing';

/** Checks the password of a form and confirms its session. @throws ApiError after too many attempts */
export async function confirmByForm(
  accounts: AccountsService,
  { request, cookie, user }: UserSession,
): Promise<Confirmation> {
  const password = field(request, CONFIRM_PASSWORD);
  if (password === '') return 'missing';
  const attempt = { session: cookie, password, address: request.context.addressKey };
  return (await accounts.confirmSession(user, attempt)) ? 'right' : 'wrong';
}
