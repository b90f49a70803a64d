import { type Envelope, type RecordHandler, type Part } from '../engine/record-handler';
import { type PartialRecord } from '../engine/partial.handler';
import { RecordReader } from '../engine/record';
import { type CelebrityFields } from './celebrity.record';
import { type CreditRecord } from './credit.record';
import { type SubjectFields } from './subject.record';

/** Handlers whose records nest each other. */
export interface MovieHandlers {
  readonly movie: RecordHandler<PartialRecord<SubjectFields>>;
  readonly celebrity: RecordHandler<PartialRecord<CelebrityFields>>;
  readonly credit: RecordHandler<CreditRecord>;
  readonly photo: NestedHandler;
  readonly review: NestedHandler;
  readonly comment: NestedHandler;
}

/** A handler whose records also occur in lists of subjects and celebrities. */
export interface NestedHandler extends RecordHandler {
  /** Parses a record from a list of its owner. */
  parseInside(value: unknown, owner: Owner, at: number): unknown;
}

/** The subject or celebrity that a record belongs to. */
export interface Owner {
  readonly subject_id: number | null;
  readonly celebrity_id: number | null;
}

/** Makes a part of nested records; empty when there are none. */
export const toPart = (kind: RecordHandler, records: readonly unknown[]): readonly Part[] =>
  records.length === 0 ? [] : [{ kind: kind, records }];

const parents = new WeakMap<object, Map<string, unknown>>();

/**
 * The parent of a list, from the surrounding list response. It is parsed once per list.
 * @throws RecordError with the reason
 */
export function parentOf<R>(
  envelope: Envelope | undefined,
  name: string,
  parse: (value: unknown) => R,
): R | undefined {
  if (!envelope || !new RecordReader(envelope.members).has(name)) return undefined;
  const parsed = parents.get(envelope.members) ?? new Map<string, unknown>();
  parents.set(envelope.members, parsed);
  if (!parsed.has(name)) parsed.set(name, parse(envelope.members[name]));
  return parsed.get(name) as R;
}
