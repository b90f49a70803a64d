/** Characters of a changed value that pages show. */
export const MAX_SHOWN = 1000;
/** Characters of all changed values of an entry on one side, which its members share. */
const MAX_OF_ENTRY = 8000;
/** Characters that even the values of an entry with many changed members have. */
const MIN_SHOWN = 100;
/** Members of an entry that pages show. */
const MAX_MEMBERS = 200;
/** How many characters before the first difference its search may end. */
const PRECISION = 64;

/**
 * SQL: how many characters two texts have in common at their beginnings, at most
 * {@link PRECISION} too few. It doubles the compared length until the texts differ, then halves the
 * range: PostgreSQL has no function for it.
 */
const commonLength = (one: string, other: string): string => `
  WITH RECURSIVE range(low, high) AS (
    SELECT 0, NULL::int
    UNION ALL
    SELECT CASE WHEN is_same THEN tried ELSE low END, CASE WHEN is_same THEN high ELSE tried END
    FROM range
      CROSS JOIN LATERAL (
        SELECT CASE WHEN high IS NULL THEN 2 * low + ${PRECISION} ELSE (low + high) / 2 END AS tried
      ) next
      CROSS JOIN LATERAL (
        SELECT coalesce(left(${one}, tried) = left(${other}, tried), false) AS is_same
      ) compared
    WHERE CASE WHEN high IS NULL THEN low < greatest(octet_length(${one}), octet_length(${other}))
      ELSE high - low > ${PRECISION} END
  )
  SELECT max(low) FROM range`;

/** SQL: whether a text has more than `most` characters; it does not count those of a long text. */
const isLonger = (text: string, most: string): string =>
  `coalesce(CASE WHEN octet_length(${text}) > 4 * ${most} THEN true
    ELSE length(${text}) > ${most} END, false)`;

/** SQL: a part of a text, with ellipses where it is cut; null for null. */
const cut = (text: string): string =>
  `CASE WHEN d.start > 0 AND ${text} <> '' THEN '…' ELSE '' END
   || substr(${text}, d.start + 1, m.most)
   || CASE WHEN substr(${text}, d.start + m.most + 1, 1) <> '' THEN '…' ELSE '' END`;

const objectOf = (state: string): string =>
  `CASE jsonb_typeof(${state}) WHEN 'object' THEN ${state} ELSE '{}' END`;

/** SQL: a value, or the part of its text around the first difference if one of both is long. */
const shown = (value: string, text: string): string =>
  `CASE WHEN m.is_long THEN to_jsonb(${cut(text)}) ELSE ${value} END`;

/**
 * SQL: the members that differ between two states, as objects `before` and `after`. If one of the
 * two values of a member is long, both are texts: a part around the first difference. This bounds
 * the size of an entry on a page.
 *
 * Values are compared as texts, because the comparison of jsonb uses the collation, which is slow
 * for long strings. `OFFSET 0` has each expression evaluated once.
 */
export const shownChangesSql = (before: string, after: string): string => `
  SELECT jsonb_object_agg(m.name, ${shown('m.before', 'm.before_text')})
      FILTER (WHERE m.before IS NOT NULL) AS before,
    jsonb_object_agg(m.name, ${shown('m.after', 'm.after_text')})
      FILTER (WHERE m.after IS NOT NULL) AS after
  FROM (
    SELECT c.*, ${isLonger('c.before_text', 'c.most')} OR ${isLonger('c.after_text', 'c.most')}
      AS is_long
    FROM (
      SELECT t.*, greatest(${MIN_SHOWN}, least(${MAX_SHOWN}, ${MAX_OF_ENTRY} / count(*) OVER ()))::int
        AS most
      FROM (
        SELECT left(name, ${MIN_SHOWN}) AS name, b.value AS before, a.value AS after,
          b.value #>> '{}' AS before_text, a.value #>> '{}' AS after_text
        FROM jsonb_each(${objectOf(before)}) AS b(name, value)
          FULL JOIN jsonb_each(${objectOf(after)}) AS a(name, value) USING (name)
        OFFSET 0
      ) t
      WHERE jsonb_typeof(t.before) IS DISTINCT FROM jsonb_typeof(t.after)
        OR t.before_text IS DISTINCT FROM t.after_text
      LIMIT ${MAX_MEMBERS}
    ) c
    OFFSET 0
  ) m
  CROSS JOIN LATERAL (
    SELECT CASE WHEN m.is_long
      THEN greatest(0, (${commonLength('m.before_text', 'm.after_text')}) - m.most / 4)
      ELSE 0 END AS start
    OFFSET 0
  ) d`;
