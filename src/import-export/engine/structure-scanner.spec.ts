import { TOO_MANY_LISTS } from './envelope-text';
import { MAX_WAITING_ELEMENTS } from './record-limits';
import { type RawRecord } from './raw-record';
import { StructureScanner } from './structure-scanner';

const MEMBERS = new Set(['photos', 'reviews']);

function scan(json: string): RawRecord[] {
  const scanner = new StructureScanner({ members: MEMBERS, needingEnvelope: MEMBERS }, 1, false);
  scanner.push(Buffer.from(json));
  scanner.end();
  return scanner.takeFound().map(({ record }) => record);
}

const list = (length: number): string => JSON.stringify(Array<number>(length).fill(1));
const membersOf = (record: RawRecord | undefined): unknown => record?.envelope?.members;

describe('a list of more elements than wait for the end of its object', () => {
  it('has its object parsed once before the end', () => {
    const photos = list(3 * MAX_WAITING_ELEMENTS + 1);
    const records = scan(`{"id": 7, "photos": ${photos}, "total": 4}`);
    const [first, last] = [records[0], records[records.length - 1]];
    expect(membersOf(first)).toEqual({ id: 7, photos: null });
    const released = records.slice(0, 3 * MAX_WAITING_ELEMENTS);
    // The same object, not equal ones, so that memory and time do not depend on the list.
    expect(new Set(released.map(membersOf))).toEqual(new Set([membersOf(first)]));
    expect(released.every((record) => membersOf(record) === membersOf(first))).toBe(true);
    expect(membersOf(last)).toEqual({ id: 7, photos: null, total: 4 });
    expect(last?.envelope?.at).toBe(3 * MAX_WAITING_ELEMENTS);
  });

  it('has the members before it, also those after an earlier list', () => {
    const long = list(MAX_WAITING_ELEMENTS);
    const records = scan(
      `{"id": 7, "photos": ${long}, "of": 8, "reviews": ${long}}{"reviews": [2]}`,
    );
    expect(membersOf(records[0])).toEqual({ id: 7, photos: null });
    expect(membersOf(records[MAX_WAITING_ELEMENTS])).toEqual({
      ...{ id: 7, photos: null },
      ...{ of: 8, reviews: null },
    });
    expect(membersOf(records[2 * MAX_WAITING_ELEMENTS])).toEqual({ reviews: null });
  });

  it('is rejected in an object that repeats such lists, which would be parsed for each', () => {
    const long = list(MAX_WAITING_ELEMENTS);
    const lists = Array<string>(21).fill(`"photos": ${long}`).join();
    const records = scan(`{"id": 7, ${lists}}{"id": 8, "photos": ${long}}`);
    const accepted = 20 * MAX_WAITING_ELEMENTS;
    expect(records.findIndex(({ error }) => error !== undefined)).toBe(accepted);
    expect(records[accepted]).toEqual({ line: 1, member: 'photos', error: TOO_MANY_LISTS });
    expect(membersOf(records[accepted + MAX_WAITING_ELEMENTS])).toEqual({ id: 8, photos: null });
  });
});
