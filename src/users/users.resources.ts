import { address, resource, str, type WireContext } from '../api/resources/resource';

/** A user as rows carry it. */
export interface UserRow {
  readonly id: string;
  readonly uid: string;
  readonly name: string;
  readonly signature: string;
  readonly avatar: string;
}

/** The avatar of users without a picture. */
const DEFAULT_AVATAR = '/pictures/sample/default/user.jpg';

/** An empty user instead of an unknown user, so that clients find the expected members (D10). */
export const NOBODY: UserRow = { id: '', uid: '', name: '', signature: '', avatar: '' };

/** Simple user (specification section 2.9, D19). */
export const SimpleUser = resource('SimpleUser', {
  id: { type: str(), about: 'Id of the user: digits.' },
  name: { type: str(), about: 'Display name.' },
  uid: { type: str(), about: 'Unique name of the user.' },
  signature: { type: str(), about: 'Signature; may be empty.' },
  alt: {
    type: address(),
    from: (user: UserRow, context: WireContext) =>
      user.uid === '' ? '' : `${context.webUrl}/people/${encodeURIComponent(user.uid)}/`,
    about: 'URL of the page of the user.',
  },
  avatar: {
    type: address(),
    from: (user: UserRow) => user.avatar || DEFAULT_AVATAR,
    about: 'Avatar.',
  },
});

/** SQL that makes a {@link UserRow} as JSON from the `users` row named `alias`. */
export const userJson = (alias: string): string =>
  `json_build_object('id', ${alias}.id::text, 'uid', ${alias}.uid, 'name', ${alias}.name,
     'signature', ${alias}.signature, 'avatar', ${alias}.avatar)`;
