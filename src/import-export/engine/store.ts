import { type SqlExecutor } from '../../database/database';
import { rejectAssignedIds } from './assigned-ids';
import {
  deleteConflictsOf,
  rejectRecordsOfOthers,
  rejectReferencesToConflicts,
} from './conflicting-records';
import { type RecordHandler, type Outcome, type Part } from './record-handler';
import { shareRecords } from './record-locks';

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
  /** Called with the outcomes of the records themselves, not of nested records. */
  readonly onCompared?: (comparison: Comparison) => void;
  /** Whether the records are nested in others, whose handler has locked their rows. */
  readonly isNested?: boolean;
}

/** Records after `resolveIds`, which may have merged some, with their stored versions. */
export interface Comparison {
  readonly kind: RecordHandler;
  readonly records: readonly unknown[];
  /** One outcome per record. */
  readonly outcomes: readonly Outcome[];
  readonly stored: ReadonlyMap<string, unknown>;
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
  const { onCompared, isNested = false, ...rest } = options;
  const inner: StoreOptions = { ...rest, isNested: true };
  const dryRun = options.dryRun === true;
  if (!dryRun) await shareRecords(executor, kind.name);
  if (!dryRun && !isNested) await kind.lockRows?.(executor, records);
  // Dependencies come first, because storing them may change the stored state of the records.
  const dependencies = kind.dependencies?.bind(kind);
  const changedDependencies = dryRun
    ? new Set<string | undefined>()
    : await storeParts(executor, kind, records, dependencies, inner);
  const identified = await kind.resolveIds(executor, records);
  const stored = await kind.load(executor, identified);
  const outcomes = identified.map((record) => outcomeOf(kind, record, stored));
  const changed = identified.filter((_, at) => outcomes[at] !== 'skipped');
  // A placeholder changes nothing here, but may be of other content with the same id.
  if (!dryRun && !isNested) {
    const references = identified.filter((record) => kind.isReferenceOnly?.(record) === true);
    await rejectRecordsOfOthers(executor, kind, references);
  }
  if (changed.length > 0 && !dryRun) {
    await rejectAssignedIds(executor, kind, changed, stored);
    await rejectRecordsOfOthers(executor, kind, changed);
    if (kind.referencedContent)
      await rejectReferencesToConflicts(
        executor,
        changed.flatMap(kind.referencedContent.bind(kind)),
      );
    await kind.write(executor, changed, stored);
    options.onWritten?.(kind, changed.length);
  }
  if (!dryRun) await deleteConflictsOf(executor, kind, identified);
  // A dry run compares nested records of unchanged records only: new records have none stored, and
  // updated ones are already reported as changed.
  const owners = dryRun ? identified.filter((_, at) => outcomes[at] === 'skipped') : identified;
  const changedChildren = await storeParts(
    executor,
    kind,
    owners,
    kind.children?.bind(kind),
    inner,
  );
  if (dryRun) {
    for (const key of await storeParts(executor, kind, owners, dependencies, inner))
      changedDependencies.add(key);
  }
  const byKey = new Map<string, Outcome>();
  identified.forEach((record, at) => {
    const key = kind.key(record);
    if (key === undefined) return;
    if (outcomes[at] === 'skipped' && (changedDependencies.has(key) || changedChildren.has(key))) {
      outcomes[at] = 'updated';
    }
    byKey.set(key, outcomes[at] as Outcome);
  });
  onCompared?.({ kind, records: identified, outcomes, stored });
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
