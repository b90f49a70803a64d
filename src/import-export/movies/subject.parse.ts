import { type Part } from '../engine/record-handler';
import { toSortOrder } from '../engine/sort-order';
import { RecordReader } from '../engine/record';
import { readPlaceholderCelebrity } from './celebrity.record';
import { LISTS, type CreditRecord } from './credit.record';
import { toPart, type MovieHandlers } from './movie-handlers';
import { readSubject, type SubjectRecord } from './subject.record';

/** A person in a list of a subject; undefined when empty. */
function readPerson(
  family: MovieHandlers,
  value: unknown,
  member: string,
): Pick<CreditRecord, 'celebrity_id' | 'name' | 'parts'> | undefined {
  const reader = new RecordReader(value, member);
  const id = reader.id('id');
  if (id !== undefined) {
    const celebrity = readPlaceholderCelebrity(value, member);
    return { celebrity_id: id, name: '', parts: toPart(family.celebrity, [celebrity]) };
  }
  const name = reader.text('name');
  return name.trim() === '' ? undefined : { celebrity_id: null, name };
}

function readCredits(
  family: MovieHandlers,
  reader: RecordReader,
  subjectId: number,
): CreditRecord[] {
  const credits: CreditRecord[] = [];
  for (const [member, role] of Object.entries(LISTS)) {
    reader.list(member).forEach((value, at) => {
      const person = readPerson(family, value, member);
      if (!person) return;
      const roles = [{ role, position: toSortOrder(at) }];
      credits.push({ subject_id: subjectId, roles, ...person });
    });
  }
  return credits;
}

function readContents(family: MovieHandlers, reader: RecordReader, id: number): readonly Part[] {
  const owner = { subject_id: id, celebrity_id: null };
  const inside = (kind: 'photo' | 'review' | 'comment', member: string): readonly Part[] =>
    toPart(
      family[kind],
      reader.list(member).map((value, at) => family[kind].parseInside(value, owner, at)),
    );
  return [
    ...toPart(family.credit, readCredits(family, reader, id)),
    ...inside('photo', 'photos'),
    ...inside('review', 'popular_reviews'),
    ...inside('comment', 'popular_comments'),
  ];
}

/** Parses a subject and its nested records. @throws RecordError with the reason */
export function parseSubject(family: MovieHandlers, value: unknown, path = ''): SubjectRecord {
  const reader = new RecordReader(value, path);
  const record = readSubject(reader);
  return { ...record, children: readContents(family, reader, record.id) };
}

/** Parses a nested subject. @throws RecordError with the reason */
export const parsePlaceholderSubject = (
  family: MovieHandlers,
  value: unknown,
  path: string,
): SubjectRecord => ({ ...parseSubject(family, value, path), placeholder: true });
