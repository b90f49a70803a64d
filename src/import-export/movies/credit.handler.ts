import { roleWord } from '../../movies/roles';
import { type SqlExecutor } from '../../database/database';
import { type Envelope, type RecordHandler, type Part } from '../engine/record-handler';
import {
  RecordError,
  RecordReader,
  toSortOrder,
  NO_SORT_ORDER,
  sortOrderJson,
} from '../engine/record';
import { readPlaceholderCelebrity } from './celebrity.record';
import {
  creditKey,
  isImplied,
  mergeCredits,
  readRoleLabels,
  roleOf,
  roleRank,
  rolesByName,
  type CreditRecord,
  type CreditRole,
} from './credit.record';
import { readCount } from '../engine/counting';
import { followMerges } from '../engine/merged-references';
import { subjectReference } from './subject-reference';
import { AFTER, COUNT, FORGET_NAMES, LOAD, WRITE } from './credit.statements';
import { lockMovieRows } from './movie-locks';
import { parentOf, toPart, type MovieHandlers } from './movie-handlers';
import { writeSubjectSearch } from './subject-search';
import { parsePlaceholderSubject } from './subject.record';
import { ensurePlaceholderCelebrities, ensurePlaceholders } from './placeholders';

export interface CreditRow {
  readonly subject_id: number;
  readonly celebrity_id: number | null;
  readonly name: string;
  readonly role: string;
  readonly position: number;
  readonly role_sort_order: number;
  readonly work_sort_order: number;
  readonly featured_sort_order: number;
}

const BY_SUBJECT = subjectReference<CreditRecord>();

/** Groups credit rows into one record per person and subject, in order. */
export function toRecords(rows: readonly CreditRow[]): CreditRecord[] {
  const groups = new Map<string, CreditRow[]>();
  for (const row of rows) {
    const key = creditKey(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((group) => {
    const [{ subject_id, celebrity_id, name }] = group as [CreditRow];
    const ordered = [...group].sort(
      (one, other) =>
        one.role_sort_order - other.role_sort_order ||
        roleRank(one.role) - roleRank(other.role) ||
        (one.role < other.role ? -1 : 1),
    );
    return {
      subject_id,
      celebrity_id,
      name,
      roles: ordered.map(({ role, position, role_sort_order }) => ({
        role,
        position,
        implied: role_sort_order >= NO_SORT_ORDER,
      })),
      work_sort_order: Math.min(...group.map(({ work_sort_order }) => work_sort_order)),
      featured_sort_order: Math.min(...group.map(({ featured_sort_order }) => featured_sort_order)),
    };
  });
}

/** Fills the omitted fields of a record with the stored values. */
function complete(record: CreditRecord, existing: CreditRecord | undefined): CreditRecord {
  const input =
    record.ordered === true
      ? record.roles
      : [...record.roles].sort((one, other) => roleRank(one.role) - roleRank(other.role));
  const stored = existing?.roles ?? [];
  const order = record.ordered === true ? [...input, ...stored] : [...stored, ...input];
  const roles = new Map<string, CreditRole>();
  const [inputByName, storedByName] = [rolesByName(input), rolesByName(stored)];
  for (const { role } of record.guessed === true && existing ? stored : order) {
    const position = inputByName.get(role)?.position;
    const storedPosition = storedByName.get(role)?.position;
    const implied = isImplied(role, inputByName, storedByName, record.ordered === true);
    roles.set(role, { role, position: position ?? storedPosition ?? NO_SORT_ORDER, implied });
  }
  const all = [...roles.values()];
  return {
    ...record,
    roles: [...all.filter((one) => !one.implied), ...all.filter((one) => one.implied)],
    work_sort_order: record.work_sort_order ?? existing?.work_sort_order ?? NO_SORT_ORDER,
    featured_sort_order:
      record.featured_sort_order ?? existing?.featured_sort_order ?? NO_SORT_ORDER,
    existing,
  };
}

/** Imports and exports credits: the people of subjects, and the works of celebrities. */
export class CreditHandler implements RecordHandler<CreditRecord> {
  readonly name = 'credit';
  readonly member = 'works';
  readonly needsEnvelope = true;

  constructor(private readonly family: MovieHandlers) {}

  parse(value: unknown, envelope?: Envelope): CreditRecord {
    const reader = new RecordReader(value);
    const subject = reader.has('subject')
      ? parsePlaceholderSubject(this.family, reader.raw('subject'), 'subject')
      : undefined;
    const celebrity = reader.has('celebrity')
      ? readPlaceholderCelebrity(reader.raw('celebrity'), 'celebrity')
      : parentOf(envelope, 'celebrity', (parent) => readPlaceholderCelebrity(parent, 'celebrity'));
    const id = reader.id('celebrity_id') ?? celebrity?.id;
    const roles = readRoleLabels(reader);
    if (roles.length === 0) throw new RecordError('roles is missing');
    const positions = reader.sortOrders('positions');
    const implied = new Set(reader.texts('implied'));
    const start = envelope && new RecordReader(envelope.members).count('start');
    return {
      subject_id: reader.id('subject_id') ?? subject?.id ?? reader.requiredId('subject_id'),
      celebrity_id: id ?? null,
      name: id === undefined ? reader.requiredText('name') : '',
      roles: roles.map((label, at) => ({
        role: roleOf(label),
        position: positions[at],
        implied: implied.has(label),
      })),
      ordered: true,
      work_sort_order:
        start === undefined || !envelope
          ? reader.sortOrder('work_sort_order')
          : toSortOrder(start + envelope.at),
      featured_sort_order: reader.sortOrder('featured_sort_order'),
      parts: [
        ...(subject ? toPart(this.family.movie, [subject]) : []),
        ...(celebrity && celebrity.id === id ? toPart(this.family.celebrity, [celebrity]) : []),
      ],
    };
  }

  lockRows(executor: SqlExecutor, records: readonly CreditRecord[]): Promise<void> {
    return lockMovieRows(executor, this, records);
  }

  async resolveIds(
    executor: SqlExecutor,
    records: readonly CreditRecord[],
  ): Promise<CreditRecord[]> {
    const merged = new Map<string, CreditRecord>();
    for (const record of await followMerges(executor, BY_SUBJECT, records)) {
      const key = creditKey(record);
      const existing = merged.get(key);
      merged.set(key, existing ? mergeCredits(existing, record) : record);
    }
    const all = [...merged.values()];
    const rows = await executor.query<CreditRow>(LOAD, [
      all.map(({ subject_id }) => subject_id),
      all.map(({ celebrity_id }) => celebrity_id),
      all.map(({ name }) => name),
    ]);
    const stored = new Map(toRecords(rows).map((record) => [creditKey(record), record]));
    return all.map((record) => complete(record, stored.get(creditKey(record))));
  }

  key(record: CreditRecord): string {
    return creditKey(record);
  }

  lane({ subject_id }: CreditRecord): string {
    return String(subject_id);
  }

  load(_runner: SqlExecutor, records: readonly CreditRecord[]): Promise<Map<string, CreditRecord>> {
    const stored = new Map<string, CreditRecord>();
    for (const { existing } of records) if (existing) stored.set(creditKey(existing), existing);
    return Promise.resolve(stored);
  }

  /** A work that only a list of its film has brought along so far is new. */
  isFirst(record: CreditRecord, existing: CreditRecord): boolean {
    const before = existing.work_sort_order ?? NO_SORT_ORDER;
    return before >= NO_SORT_ORDER && (record.work_sort_order ?? NO_SORT_ORDER) < NO_SORT_ORDER;
  }

  dependencies({ parts }: CreditRecord): readonly Part[] {
    return parts ?? [];
  }

  async write(executor: SqlExecutor, records: readonly CreditRecord[]): Promise<void> {
    const subjects = records.map(({ subject_id }) => subject_id);
    const people = records.filter(({ celebrity_id }) => celebrity_id !== null);
    const ids = people.map(({ celebrity_id }) => celebrity_id as number);
    await ensurePlaceholders(executor, subjects);
    await ensurePlaceholderCelebrities(executor, ids);
    const rows = records.flatMap(({ subject_id, celebrity_id, name, roles, ...sortOrders }) =>
      roles.map(({ role, position, implied }, at) => ({
        subject_id,
        celebrity_id,
        name,
        role,
        position,
        role_sort_order: implied === true ? NO_SORT_ORDER : toSortOrder(at),
        work_sort_order: sortOrders.work_sort_order,
        featured_sort_order: sortOrders.featured_sort_order,
      })),
    );
    await executor.query(WRITE, [JSON.stringify(rows)]);
    if (ids.length > 0) {
      await executor.query(FORGET_NAMES, [people.map(({ subject_id }) => subject_id), ids]);
    }
    await writeSubjectSearch(executor, subjects);
  }

  toJson(record: CreditRecord): Record<string, unknown> {
    const { subject_id, celebrity_id, name, roles } = record;
    const positions = roles.map(({ position }) => sortOrderJson(position) ?? null);
    const implied = roles.filter((one) => one.implied).map(({ role }) => roleWord(role));
    return {
      subject_id: String(subject_id),
      ...(celebrity_id === null ? { name } : { celebrity_id: String(celebrity_id) }),
      roles: roles.map(({ role }) => roleWord(role)),
      positions,
      ...(implied.length > 0 ? { implied } : {}),
      work_sort_order: sortOrderJson(record.work_sort_order),
      featured_sort_order: sortOrderJson(record.featured_sort_order),
    };
  }

  countStored(executor: SqlExecutor): Promise<number> {
    return readCount(executor, COUNT);
  }

  async scanAfter(executor: SqlExecutor, id: number, limit: number) {
    const rows = await executor.query<CreditRow>(AFTER, [id, limit]);
    return toRecords(rows).map((record) => ({ id: record.subject_id, record }));
  }
}
