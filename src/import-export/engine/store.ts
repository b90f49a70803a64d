import { type SqlExecutor } from '../../database/database';
import { type RecordHandler, type Outcome, type Part } from './record-handler';
import { shareRecords } from './editing';

/** The result of storing records. */
export interface Stored {
  /** One outcome per record. */
  readonly outcomes: Outcome[];
  /** The outcome of each key. */
  readonly byKey: ReadonlyMap<string, Outcome>;
}

export interface StoreOptions {
  readonly dryRun?: boolean;
  /** Called for each kind that wrote records, with their number. */
  readonly onWritten?: (kind: RecordHandler, records: number) => void;
}

export function outcomeOf(
  kind: RecordHandler,
  record: unknown,
  stored: Map<string, unknown>,
): Outcome {
  const key = kind.key(record);
  const existing = key === undefined ? undefined : stored.get(key);
  if (existing === undefined) return 'imported';
  const same = JSON.stringify(kind.toJson(existing)) === JSON.stringify(kind.toJson(record));
  if (same) return 'skipped';
  return kind.isFirst?.(record, existing) === true ? 'imported' : 'updated';
}

/**
 * Stores records of one kind after their dependencies and before their nested records. A record
 * counts as updated if only those changed. No row is written twice.
 */
export async function storeRecords(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
  options: StoreOptions = {},
): Promise<Stored> {
  const dryRun = options.dryRun === true;
  const none = new Set<string | undefined>();
  if (!dryRun) await shareRecords(executor, kind.name);
  // Dependencies come first, because storing them may change the stored state of the records.
  const changedDependencies = dryRun
    ? none
    : await storeParts(executor, kind, records, kind.dependencies?.bind(kind), options);
  const identified = await kind.resolveIds(executor, records);
  const stored = await kind.load(executor, identified);
  const outcomes = identified.map((record) => outcomeOf(kind, record, stored));
  const changed = identified.filter((_, at) => outcomes[at] !== 'skipped');
  if (changed.length > 0 && !dryRun) {
    await kind.write(executor, changed);
    options.onWritten?.(kind, changed.length);
  }
  const changedChildren = dryRun
    ? none
    : await storeParts(executor, kind, identified, kind.children?.bind(kind), options);
  const byKey = new Map<string, Outcome>();
  identified.forEach((record, at) => {
    const key = kind.key(record);
    if (key === undefined) return;
    if (outcomes[at] === 'skipped' && (changedDependencies.has(key) || changedChildren.has(key))) {
      outcomes[at] = 'updated';
    }
    byKey.set(key, outcomes[at] as Outcome);
  });
  // Records that were merged into a later one count as unchanged.
  const merged = Array<Outcome>(records.length - identified.length).fill('skipped');
  return { outcomes: [...outcomes, ...merged], byKey };
}

/** Stores nested records. @returns keys of the records with a changed nested record */
async function storeParts<R>(
  executor: SqlExecutor,
  handler: RecordHandler<R>,
  records: readonly R[],
  partsOf: ((record: R) => readonly Part[]) | undefined,
  options: StoreOptions,
): Promise<Set<string | undefined>> {
  const changed = new Set<string | undefined>();
  if (!partsOf) return changed;
  const byKind = new Map<RecordHandler, { owner: string | undefined; record: unknown }[]>();
  for (const one of records) {
    const owner = handler.key(one);
    for (const { kind, records: parts } of partsOf(one)) {
      const all = byKind.get(kind) ?? [];
      if (all.length === 0) byKind.set(kind, all);
      for (const record of parts) all.push({ owner, record });
    }
  }
  for (const [kind, parts] of byKind) {
    if (parts.length === 0) continue;
    const all = parts.map(({ record }) => record);
    const { byKey } = await storeRecords(executor, kind, all, options);
    for (const { owner, record } of parts) {
      if (byKey.get(kind.key(record) ?? '') !== 'skipped') changed.add(owner);
    }
  }
  return changed;
}
