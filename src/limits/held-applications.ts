/**
 * SQL of a CTE that prevents the deletion of applications until the end of the transaction, like
 * `holdApplication` of oauth/application-locks.ts. Its rows are the applications that exist. The
 * order prevents deadlocks.
 *
 * @param ids SQL of an array of ids
 */
export const heldApplicationsSql = (ids: string): string =>
  `held AS MATERIALIZED (
     SELECT id FROM applications WHERE id = ANY(${ids}) ORDER BY id FOR KEY SHARE)`;
