import { faultsOf, type Shape } from '../contract/shape';
import { SECTION_7, AUTHORIZATION } from '../contract/error-codes';
import { type TestResponse } from '../http';
import { type Service } from './client';
import { type RouteRow } from './routes';

/** Names of members that may be null. */
export type Nullable = readonly string[];

/** Names of members that are times. */
const TIMES = new Set([
  ...['updated', 'published', 'time', 'publish_time', 'update_time', 'created_at', 'updated_at'],
  ...['begin_time', 'end_time', 'created'],
]);

/** Times within a response that have not the format of section 1. */
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

/** Expects a status, and a body with exactly the members of a shape. @returns the body */
export function expectShape(
  response: TestResponse,
  status: number,
  shape: Shape,
  nullable: Nullable = [],
): TestResponse['body'] {
  expect([response.status, response.status === status ? '' : response.text]).toEqual([status, '']);
  const { body } = response;
  expect(faultsOf(body, shape, nullable)).toEqual([]);
  expect(wrongTimes(body)).toEqual([]);
  return body;
}

/** The generic list response (specification section 1). */
export const listOf = (member: string, shape: Shape, extra: Readonly<Record<string, Shape>> = {}) =>
  ({ start: 'integer', count: 'integer', total: 'integer', [member]: [shape], ...extra }) as const;

/** Expects a list of a shape with a correct count and total (D2). @returns its elements */
export function expectList(
  response: TestResponse,
  member: string,
  shape: Shape,
  extra: Readonly<Record<string, Shape>> = {},
): TestResponse['body'][] {
  const body = expectShape(response, 200, listOf(member, shape, extra));
  expect(body.count).toBe(body[member].length);
  expect(body.total).toBeGreaterThanOrEqual(body.count);
  return body[member];
}

const NAMES: readonly (readonly [number, string, number?])[] = [...SECTION_7, ...AUTHORIZATION];

/** Expects an error of section 7: its status, code, name and request. */
export function expectError(response: TestResponse, status: number, code: number): void {
  expect([response.status, response.text]).toEqual([
    status,
    expect.stringContaining(`"code":${code}`),
  ]);
  const { body } = response;
  expect(Object.keys(body).sort()).toEqual(['code', 'msg', 'request']);
  expect(NAMES.filter(([one]) => one === code).map(([, msg]) => msg)).toContain(body.msg);
  expect(body.request).toMatch(/^(GET|POST|PUT|DELETE) \/[^?]*$/);
  // Notes use a different spelling.
  const ofNotes = / \/v2\/notes?(\/|$)/.test(body.request as string);
  if (code === 1006) expect(body.msg).toBe(ofNotes ? 'target_not_found' : 'target_not_fount');
}

/** The last test of a file: each of its routes had a successful request. */
export function itCallsAll(rows: readonly RouteRow[], service: Service): void {
  it(`each of the ${rows.length} routes of this area has a successful request`, () => {
    expect(service.missed(rows)).toEqual([]);
  });
}
