import { type Runner } from '../../database/database';
import { type RecordHandler, type Outcome, type Part } from './record-handler';
import { shareRecords } from './record-lock';

/** What storing some records came to. */
export interface Stored {
  /** One for each record given. */
  readonly outcomes: Outcome[];
  /** What became of each thing that has a key. */
  readonly byKey: ReadonlyMap<string, Outcome>;
}

export interface StoreOptions {
  readonly dryRun?: boolean;
  /** Called for each kind of which something was written. */
  readonly onWritten?: (kind: RecordHandler) => void;
}

export function outcomeOf(
  kind: RecordHandler,
  record: unknown,
  stored: Map<string, unknown>,
): Outcome {
  const key = kind.key(record);
  const known = key === undefined ? undefined : stored.get(key);
  if (known === undefined) return 'imported';
  const same = JSON.stringify(kind.toJson(known)) === JSON.stringify(kind.toJson(record));
  return same ? 'skipped' : 'updated';
}

/**
 * Stores records of one kind, first what they stand on and last what stood inside them; a record
 * of which only that changed something counts as updated. Nothing is written twice.
 */
export async function storeRecords(
  runner: Runner,
  kind: RecordHandler,
  records: readonly unknown[],
  options: StoreOptions = {},
): Promise<Stored> {
  const dryRun = options.dryRun === true;
  const none = new Set<string | undefined>();
  if (!dryRun) await shareRecords(runner, kind.name);
  // What they stand on comes first: storing it may change what is known of the records themselves.
  const around = dryRun
    ? none
    : await storeParts(runner, kind, records, kind.around?.bind(kind), options);
  const given = await kind.resolveIds(runner, records);
  const stored = await kind.load(runner, given);
  const outcomes = given.map((record) => outcomeOf(kind, record, stored));
  const changed = given.filter((_, at) => outcomes[at] !== 'skipped');
  if (changed.length > 0 && !dryRun) {
    await kind.write(runner, changed);
    options.onWritten?.(kind);
  }
  const contents = dryRun
    ? none
    : await storeParts(runner, kind, given, kind.children?.bind(kind), options);
  const byKey = new Map<string, Outcome>();
  given.forEach((record, at) => {
    const key = kind.key(record);
    if (key === undefined) return;
    if (outcomes[at] === 'skipped' && (around.has(key) || contents.has(key))) {
      outcomes[at] = 'updated';
    }
    byKey.set(key, outcomes[at] as Outcome);
  });
  // Records that stood for the same thing as a later one changed nothing by themselves.
  const merged = Array<Outcome>(records.length - given.length).fill('skipped');
  return { outcomes: [...outcomes, ...merged], byKey };
}

/** Stores the parts of records. @returns keys of the records of which a part was written */
async function storeParts<R>(
  runner: Runner,
  whole: RecordHandler<R>,
  records: readonly R[],
  partsOf: ((record: R) => readonly Part[]) | undefined,
  options: StoreOptions,
): Promise<Set<string | undefined>> {
  const changed = new Set<string | undefined>();
  if (!partsOf) return changed;
  const byKind = new Map<RecordHandler, { owner: string | undefined; record: unknown }[]>();
  for (const one of records) {
    const owner = whole.key(one);
    for (const { kind, records: parts } of partsOf(one)) {
      const all = byKind.get(kind) ?? [];
      if (all.length === 0) byKind.set(kind, all);
      for (const record of parts) all.push({ owner, record });
    }
  }
  for (const [kind, parts] of byKind) {
    if (parts.length === 0) continue;
    const all = parts.map(({ record }) => record);
    const { byKey } = await storeRecords(runner, kind, all, options);
    for (const { owner, record } of parts) {
      if (byKey.get(kind.key(record) ?? '') !== 'skipped') changed.add(owner);
    }
  }
  return changed;
}
