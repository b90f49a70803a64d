import { type DataSource } from 'typeorm';

/** A schema as PostgreSQL describes it: for each kind of object, its description by its name. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Rows of `name` and `is`. TypeORM's own record of migrations is no part of the schema. */
const PARTS: Readonly<Record<string, string>> = {
  tables: `SELECT relname AS name, jsonb_build_object('kind', relkind, 'options', reloptions,
      'persistence', relpersistence, 'identity', relreplident, 'security', relrowsecurity,
      'access', relacl::text, 'comment', obj_description(oid, 'pg_class')) AS is
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'f')`,
  // The position of a column depends on the path that a schema took, and nothing depends on it.
  columns: `SELECT c.relname || '.' || attname AS name, jsonb_build_object(
      'type', format_type(atttypid, atttypmod), 'required', attnotnull,
      'default', pg_get_expr(adbin, adrelid), 'identity', attidentity, 'generated', attgenerated,
      'storage', attstorage, 'compression', attcompression, 'collation', attcollation::regcollation,
      'statistics', attstattarget, 'comment', col_description(attrelid, attnum)) AS is
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid AND relkind IN ('r', 'p', 'v', 'm', 'f')
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped`,
  constraints: `SELECT conrelid::regclass || '.' || conname AS name, jsonb_build_object(
      'is', pg_get_constraintdef(oid), 'validated', convalidated) AS is
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  indexes: `SELECT c.relname AS name, jsonb_build_object('is', pg_get_indexdef(indexrelid),
      'valid', indisvalid, 'primary', indisprimary, 'cluster', indisclustered) AS is
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace`,
  sequences: `SELECT sequencename AS name, to_jsonb(s) - 'last_value' AS is
    FROM pg_sequences s WHERE schemaname = 'public'`,
  routines: `SELECT oid::regprocedure::text AS name, to_jsonb(pg_get_functiondef(oid)) AS is
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')`,
  triggers: `SELECT tgrelid::regclass || '.' || tgname AS name, jsonb_build_object(
      'is', pg_get_triggerdef(t.oid), 'enabled', tgenabled) AS is
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal`,
  views: `SELECT relname AS name, jsonb_build_object('is', pg_get_viewdef(oid), 'kind', relkind) AS is
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')`,
  rules: `SELECT tablename || '.' || rulename AS name, to_jsonb(definition) AS is
    FROM pg_rules WHERE schemaname = 'public'`,
  policies: `SELECT tablename || '.' || policyname AS name, to_jsonb(p) AS is
    FROM pg_policies p WHERE schemaname = 'public'`,
  types: `SELECT typname AS name, jsonb_build_object('kind', typtype,
      'base', format_type(typbasetype, typtypmod), 'default', typdefault, 'labels',
      (SELECT jsonb_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid)) AS is
    FROM pg_type t
    WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e', 'r', 'm')`,
  statistics: `SELECT stxname AS name, to_jsonb(pg_get_statisticsobjdef(oid)) AS is
    FROM pg_statistic_ext WHERE stxnamespace = 'public'::regnamespace`,
  extensions: `SELECT extname AS name, to_jsonb(extnamespace::regnamespace::text) AS is
    FROM pg_extension WHERE extname <> 'plpgsql'`,
};

const OF_MIGRATIONS = /^(PK_[0-9a-f]+$|migrations\b|migrations_id_seq$)/;

/** Everything that makes up the schema `public`, but for the record of migrations. */
export async function readCatalogue(source: DataSource): Promise<Catalogue> {
  const parts = Object.entries(PARTS).map(async ([part, sql]) => {
    const rows = await source.query<{ name: string; is: unknown }[]>(`${sql} ORDER BY 1`);
    const own = rows.filter(({ name }) => !OF_MIGRATIONS.test(name));
    return [part, Object.fromEntries(own.map((row) => [row.name, row.is]))] as const;
  });
  return Object.fromEntries(await Promise.all(parts));
}
