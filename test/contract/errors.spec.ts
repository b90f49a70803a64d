import { ERRORS, type ErrorRow } from '../../src/api/errors/error-codes';
import { ADDED, AUTHORIZATION, SECTION_7 } from './error-codes';

const TABLE: readonly ErrorRow[] = Object.values(ERRORS);
const find = (code: number, msg: string) =>
  TABLE.find((row) => row.code === code && row.msg === msg);

describe('the error table', () => {
  it.each([...SECTION_7, ...ADDED])(
    'has %i %s with status %i (specification section 7)',
    (code, msg, status) => {
      expect(find(code, msg)).toEqual({ code, msg, status });
    },
  );

  it.each(AUTHORIZATION.map(([code, msg]) => ({ code, msg })))('has $code $msg (D18)', (row) => {
    expect(find(row.code, row.msg)).toMatchObject(row);
  });

  it.each(
    AUTHORIZATION.flatMap(([code, msg, status]) =>
      status === undefined ? [] : [{ code, msg, status }],
    ),
  )('has $code $msg with status $status (D13, D15, D16, D17)', (row) => {
    expect(find(row.code, row.msg)).toEqual(row);
  });

  it('has no other rows', () => {
    const specified = [...SECTION_7, ...AUTHORIZATION, ...ADDED].map(
      ([code, msg]) => `${code} ${msg}`,
    );
    expect(TABLE.map(({ code, msg }) => `${code} ${msg}`).sort()).toEqual(specified.sort());
  });

  it('has only 4xx statuses', () => {
    expect(TABLE.filter(({ status }) => status < 400 || status > 499)).toEqual([]);
  });
});
