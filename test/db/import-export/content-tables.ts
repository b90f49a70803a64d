import { type FullTransfer } from './full';

/** Tables that hold no content: who may do what, what runs, and what is made of the rest. */
const NO_CONTENT = new Set([
  'migrations',
  ...['access_tokens', 'applications', 'application_decisions', 'application_secrets'],
  ...[
    'application_failures',
    'application_requests',
    'application_usage',
    'authorization_codes',
    'deprecated_requests',
    'grants',
    'limits',
    'passwords',
    'request_statistics',
  ],
  ...['registered_uids', 'conflicting_users', 'conflicting_records'],
  ...['refresh_tokens', 'secrets', 'sessions', 'idempotency_keys'],
  ...['transfer_jobs', 'transfer_job_parts'],
  ...[
    'audit_log',
    'used_captchas',
    'scheduled_tasks',
    'book_tag_counts',
    'collection_counts',
    'large_collectors',
    'large_collector_tags',
    'large_collector_counts',
    'event_counts',
    'list_counts',
    'participation_counts',
    'deleted_pictures',
    'picture_removals',
  ],
  'content_changes',
  ...['search_results', 'book_search_changes', 'subject_search_changes'],
  ...['book_tags_changes', 'subject_tags_changes'],
]);

/** Columns that say when a row was loaded here, and who administers the service. */
const OF_SERVICE: Readonly<Record<string, readonly string[]>> = {
  users: ['role'],
  pictures: ['last_referenced_at'],
  chart_snapshots: ['created_at'],
};

/** Names of the tables with content. */
export async function contentTables(full: FullTransfer): Promise<string[]> {
  const rows = await full.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !NO_CONTENT.has(name));
}

/** Rows of a table as text, in the order of the text. */
export async function rowsOf(full: FullTransfer, table: string): Promise<string[]> {
  const without = (OF_SERVICE[table] ?? []).map((name) => ` - '${name}'`).join('');
  const rows = await full.opened.database.transaction(async (runner) => {
    await runner.query({ name: 'test.utc', text: `SET LOCAL TimeZone = 'UTC'` });
    return runner.query<{ row: string }>({
      name: `test.rows_${table}`,
      text: `SELECT (to_jsonb(t)${without})::text AS row FROM ${table} t ORDER BY 1`,
    });
  });
  return rows.map(({ row }) => row);
}
