import { faultsOf, type Shape } from '../contract/shape';
import { SECTION_7, AUTHORIZATION } from '../contract/error-codes';
import { type Answer } from '../http';
import { type Service } from './client';
import { type RouteRow } from './routes';

/** A member whose null is a value of its own, by name. */
export type Nullable = readonly string[];

/** Members that are times, in all areas. */
const TIMES = new Set([
  ...['updated', 'published', 'time', 'publish_time', 'update_time', 'created_at', 'updated_at'],
  ...['begin_time', 'end_time', 'created'],
]);

/** Times inside an answer that are not written as section 1 says. */
function wrongTimes(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    TIMES.has(name) && member !== null
      ? /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(typeof member === 'string' ? member : '')
        ? []
        : [{ [name]: member }]
      : wrongTimes(member),
  );
}

/** An answer of a status whose body has a shape, and nothing else. @returns the body */
export function expectShape(
  answer: Answer,
  status: number,
  shape: Shape,
  nullable: Nullable = [],
): Answer['body'] {
  expect([answer.status, answer.status === status ? '' : answer.text]).toEqual([status, '']);
  const { body } = answer;
  expect(faultsOf(body, shape, nullable)).toEqual([]);
  expect(wrongTimes(body)).toEqual([]);
  return body;
}

/** The generic list response (specification section 1). */
export const listOf = (member: string, shape: Shape, extra: Readonly<Record<string, Shape>> = {}) =>
  ({ start: 'integer', count: 'integer', total: 'integer', [member]: [shape], ...extra }) as const;

/** A list of a shape, whose numbers are right (D2). @returns its elements */
export function expectList(
  answer: Answer,
  member: string,
  shape: Shape,
  extra: Readonly<Record<string, Shape>> = {},
): Answer['body'][] {
  const body = expectShape(answer, 200, listOf(member, shape, extra));
  expect(body.count).toBe(body[member].length);
  expect(body.total).toBeGreaterThanOrEqual(body.count);
  return body[member];
}

const NAMES: readonly (readonly [number, string, number?])[] = [...SECTION_7, ...AUTHORIZATION];

/** An error as section 7 has it: status and code, the name that goes with it, and the request. */
export function expectError(answer: Answer, status: number, code: number): void {
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"code":${code}`)]);
  const { body } = answer;
  expect(Object.keys(body).sort()).toEqual(['code', 'msg', 'request']);
  expect(NAMES.filter(([one]) => one === code).map(([, msg]) => msg)).toContain(body.msg);
  expect(body.request).toMatch(/^(GET|POST|PUT|DELETE) \/[^?]*$/);
  // Two spellings of one name.
  const ofNotes = / \/v2\/notes?(\/|$)/.test(body.request as string);
  if (code === 1006) expect(body.msg).toBe(ofNotes ? 'target_not_found' : 'target_not_fount');
}

/** The last test of a file: what it is there for was done. */
export function itCallsAll(rows: readonly RouteRow[], service: Service): void {
  it(`calls every one of its ${rows.length} routes with success`, () => {
    expect(service.missed(rows)).toEqual([]);
  });
}
