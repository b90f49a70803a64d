import { type SqlExecutor } from '../../database/database';
import { type ContentReference } from '../engine/conflicting-records';
import { type NamedUser } from '../engine/named-users';
import { type Part, type RecordHandler } from '../engine/record-handler';

/**
 * Base class for handlers that add members to the records of another handler, so that a full export
 * is lossless. The other handler identifies, stores and exports the record itself.
 */
export abstract class DelegatingHandler<
  R,
  E extends { readonly record: R },
> implements RecordHandler<E> {
  readonly name: string;
  readonly member: string;
  /** Whether soft-deleted rows are exported and compared. */
  protected readonly withDeleted: boolean = false;

  readonly onRejected?: (executor: SqlExecutor, record: E) => Promise<void>;
  readonly ownerOf?: (record: E) => NamedUser | undefined;
  readonly referencedContent?: (record: E) => readonly ContentReference[];

  constructor(protected readonly inner: RecordHandler<R>) {
    this.name = inner.name;
    this.member = inner.member;
    if (inner.onRejected)
      this.onRejected = async (executor, { record }) => inner.onRejected?.(executor, record);
    if (inner.ownerOf) this.ownerOf = ({ record }) => inner.ownerOf?.(record);
    if (inner.referencedContent)
      this.referencedContent = ({ record }) => inner.referencedContent?.(record) ?? [];
  }

  abstract parse(value: unknown): E;

  abstract resolveIds(executor: SqlExecutor, records: readonly E[]): Promise<E[]>;

  abstract write(
    executor: SqlExecutor,
    records: readonly E[],
    stored?: ReadonlyMap<string, E>,
  ): Promise<void>;

  abstract toJson(record: E): Record<string, unknown>;

  /** Adds the stored members to records, in the same order. */
  protected abstract extend(executor: SqlExecutor, records: readonly R[]): Promise<E[]>;

  isReferenceOnly({ record }: E): boolean {
    return this.inner.isReferenceOnly?.(record) === true;
  }

  key({ record }: E): string | undefined {
    return this.inner.key(record);
  }

  lane({ record }: E): string {
    return this.inner.lane?.(record) ?? this.inner.key(record) ?? '';
  }

  async lockRows(executor: SqlExecutor, records: readonly E[]): Promise<void> {
    await this.inner.lockRows?.(
      executor,
      records.map(({ record }) => record),
    );
  }

  dependencies({ record }: E): readonly Part[] {
    return this.inner.dependencies?.(record) ?? [];
  }

  children({ record }: E): readonly Part[] {
    return this.inner.children?.(record) ?? [];
  }

  async load(executor: SqlExecutor, records: readonly E[]): Promise<Map<string, E>> {
    const all = records.map(({ record }) => record);
    const stored = await this.inner.load(executor, all, this.withDeleted);
    const extended = await this.extend(executor, [...stored.values()]);
    return new Map(extended.map((one) => [this.key(one) ?? '', one]));
  }

  async flush(executor: SqlExecutor): Promise<void> {
    await this.inner.flush?.(executor);
  }

  async countStored(executor: SqlExecutor): Promise<number> {
    return (await this.inner.countStored?.(executor, this.withDeleted)) ?? 0;
  }

  async scanAfter(executor: SqlExecutor, id: number, limit: number) {
    const rows = await this.inner.scanAfter(executor, id, limit, this.withDeleted);
    const extended = await this.extend(
      executor,
      rows.map(({ record }) => record),
    );
    return extended.map((record, at) => ({ id: rows[at]?.id ?? 0, record }));
  }
}
