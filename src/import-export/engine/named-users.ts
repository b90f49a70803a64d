/** A user as a file names it; the uid is the id if only that is known. */
export interface NamedUser {
  readonly id: number;
  readonly uid: string;
}

/** SQL condition on users `u` who were created here, not by an import. */
export const WAS_CREATED_HERE = 'EXISTS (SELECT FROM registered_uids g WHERE g.user_id = u.id)';

/** SQL condition on users `u` who have registered here or have a password. */
export const IS_REGISTERED = `(${WAS_CREATED_HERE}
  OR EXISTS (SELECT FROM passwords p WHERE p.user_id = u.id))`;

/** SQL condition on users `u` that references `r`, with `id` and `uid`, mean other users. */
export const IS_CONFLICT = `u.uid <> r.uid AND CASE WHEN r.uid = r.id::text
  THEN EXISTS (SELECT FROM conflicting_users c WHERE c.user_id = u.id)
  ELSE ${IS_REGISTERED} END`;
