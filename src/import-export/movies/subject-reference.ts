import { type MergedReference } from '../engine/merged-references';
import { type PartialRecord } from '../engine/partial.handler';

interface WithSubject {
  readonly subject_id: number;
}

/** The reference of a record to its film or series. */
export const subjectReference = <R extends WithSubject>(): MergedReference<R> => ({
  kind: 'movie',
  idsOf: ({ subject_id }) => [subject_id],
  replaceIds: (record, current) => ({ ...record, subject_id: current(record.subject_id) }),
});

/** The same of a record that may omit members. */
export const inputReference = <F extends { readonly subject_id: number | null }>(): MergedReference<
  PartialRecord<F>
> => ({
  kind: 'movie',
  idsOf: ({ input }) => [input.subject_id],
  replaceIds: (record, current) => ({
    ...record,
    input: { ...record.input, subject_id: current(record.input.subject_id ?? 0) },
  }),
});
