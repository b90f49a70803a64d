import { type SqlExecutor } from '../../database/database';
import { byPart } from '../../database/filtered-list';
import { type RecordEditHooks } from '../engine/record-edit-hooks';
import { SoftDeletion } from '../engine/row-deletion';
import { byTitle, recordLists } from '../engine/record-lists';
import { followMerges } from '../engine/merged-references';
import { PartialHandler, type PartialRecord } from '../engine/partial.handler';
import { RecordReader, toSortOrder, NO_SORT_ORDER, requireText } from '../engine/record';
import {
  CELEBRITIES,
  readCelebrity,
  wireCelebrity,
  type CelebrityFields,
} from './celebrity.record';
import { toRecords, type CreditRow } from './credit.handler';
import { creditKey, readRoleLabels, roleOf, type CreditRecord } from './credit.record';
import { FEATURED } from './credit.statements';
import { lockMovieRows } from './movie-locks';
import { toPart, type MovieHandlers } from './movie-handlers';
import { subjectReference } from './subject-reference';
import { rebuildSearchOfCreditedSubjects } from './subject-search';
import { parsePlaceholderSubject } from './subject.record';

type CelebrityRecord = PartialRecord<CelebrityFields>;

/** Imports and exports celebrities. */
export class CelebrityHandler extends PartialHandler<CelebrityFields> {
  readonly name = 'celebrity';
  readonly member = 'celebrities';
  readonly nestedLists = ['works', 'photos'] as const;
  readonly editing: RecordEditHooks = {
    table: 'celebrities',
    lists: recordLists('celebrities', {
      title: 'name',
      states: byTitle('name'),
      search: byPart('h.name'),
    }),
    deletion: new SoftDeletion('celebrities'),
    nestedFields: this.nestedLists,
  };

  constructor(private readonly family: MovieHandlers) {
    super(CELEBRITIES);
  }

  parse(value: unknown): CelebrityRecord {
    const reader = new RecordReader(value);
    const record = readCelebrity(reader);
    const owner = { subject_id: null, celebrity_id: record.id };
    const works = reader.list('works').map((work, at) => this.parseWork(work, record.id, at));
    const photos = reader
      .list('photos')
      .map((photo, at) => this.family.photo.parseInside(photo, owner, at));
    return {
      ...record,
      children: [...toPart(this.family.credit, works), ...toPart(this.family.photo, photos)],
    };
  }

  /** A featured work: a subject, or a subject with the celebrity's roles in it (D35). */
  private parseWork(value: unknown, id: number, at: number): CreditRecord {
    const reader = new RecordReader(value, 'works');
    const inside = reader.has('subject');
    const subject = parsePlaceholderSubject(
      this.family,
      inside ? reader.raw('subject') : value,
      'works',
    );
    const labels = inside ? readRoleLabels(reader) : [];
    const hasRoles = labels.length > 0;
    return {
      subject_id: subject.id,
      celebrity_id: id,
      name: '',
      roles: hasRoles ? labels.map((label) => ({ role: roleOf(label) })) : [{ role: 'actor' }],
      guessed: !hasRoles,
      ordered: hasRoles,
      featured_sort_order: toSortOrder(at),
      parts: toPart(this.family.movie, [subject]),
    };
  }

  lockRows(executor: SqlExecutor, records: readonly CelebrityRecord[]): Promise<void> {
    return lockMovieRows(executor, this, records);
  }

  protected override complete(
    input: Partial<CelebrityFields>,
    existing: CelebrityFields | undefined,
    placeholder: boolean,
  ): CelebrityFields {
    const all = super.complete(input, existing, placeholder);
    if (!placeholder) requireText(all.name, 'name');
    return all;
  }

  protected wireFields(fields: CelebrityFields): Record<string, unknown> {
    return wireCelebrity(fields);
  }

  override async resolveIds(
    executor: SqlExecutor,
    records: readonly CelebrityRecord[],
  ): Promise<CelebrityRecord[]> {
    const all = await super.resolveIds(executor, records);
    const featuring = all.filter((record) => this.worksOf(record).length > 0);
    if (featuring.length === 0) return all;
    const rows = await executor.query<CreditRow>(FEATURED, [featuring.map(({ id }) => id)]);
    const featured = toRecords(rows);
    // Works in the file may refer to merged films.
    const works = await followMerges(
      executor,
      subjectReference<CreditRecord>(),
      featuring.flatMap((record) => this.worksOf(record)),
    );
    const inFile = new Set(works.map(creditKey));
    return all.map((record) => {
      if (this.worksOf(record).length === 0) return record;
      // A work that is no longer featured stays in the list of works.
      const gone = featured
        .filter((credit) => credit.celebrity_id === record.id && !inFile.has(creditKey(credit)))
        .map((credit) => ({ ...credit, featured_sort_order: NO_SORT_ORDER }));
      return {
        ...record,
        children: [...(record.children ?? []), ...toPart(this.family.credit, gone)],
      };
    });
  }

  private worksOf({ children }: CelebrityRecord): CreditRecord[] {
    return (children ?? [])
      .filter(({ kind }) => kind === this.family.credit)
      .flatMap(({ records }) => records as CreditRecord[]);
  }

  override async write(executor: SqlExecutor, records: readonly CelebrityRecord[]): Promise<void> {
    await super.write(executor, records);
    const renamed = records.filter(
      ({ fields, existing }) =>
        existing && (existing.name !== fields?.name || existing.name_en !== fields.name_en),
    );
    await rebuildSearchOfCreditedSubjects(
      executor,
      renamed.map(({ id }) => id),
    );
  }
}
