import { ApiError } from '../errors/error-codes';
import { readPage, slicePage, integerParameter } from './page';

describe('wholeParameter (D3)', () => {
  it.each([undefined, '', ' '])('returns the default for "%s"', (value) => {
    expect(integerParameter('count', value, 7)).toBe(7);
  });

  it.each([
    ['0', 0],
    ['100', 100],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('parses %s as %i', (text, number) => {
    expect(integerParameter('count', text, 7)).toBe(number);
  });

  it.each(['-1', '+1', '1.0', '1e2', '0x1', 'abc', '１', '1 2', ['1', '2'], [], {}, null])(
    'rejects %j as malformed',
    (value) => {
      expect(() => integerParameter('count', value, 7)).toThrow(ApiError);
    },
  );
});

describe('readPage (D3)', () => {
  it.each([
    [{}, { start: 0, count: 20 }],
    [
      { start: '5', count: '' },
      { start: 5, count: 20 },
    ],
    [{ count: '0' }, { start: 0, count: 0 }],
    [{ count: '100' }, { start: 0, count: 100 }],
    [{ count: '101' }, { start: 0, count: 100 }],
  ])('parses %j as %j', (query, page) => {
    expect(readPage(query)).toEqual(page);
  });

  it('uses the default of the endpoint', () => {
    expect(readPage({}, { count: 5 })).toEqual({ start: 0, count: 5 });
  });
});

describe('slicePage (D2)', () => {
  it.each([
    [0, 2, ['a', 'b']],
    [2, 2, ['c']],
    [3, 2, []],
    [0, 0, []],
  ])('returns, from %i, %i elements', (start, count, items) => {
    expect(slicePage(['a', 'b', 'c'], { start, count })).toEqual({ start, total: 3, items });
  });
});
