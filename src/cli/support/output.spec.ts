import { linesOf, tableOf } from './output';

describe('output for a terminal', () => {
  it('aligns columns, also of Chinese text', () => {
    expect(
      tableOf([
        { id: 1, name: '林默' },
        { id: 20, name: 'ann', role: null },
      ]),
    ).toBe('ID  NAME  ROLE\n1   林默\n20  ann\n');
  });

  it('prints members in lines, and lists of objects as tables', () => {
    expect(linesOf({ id: 7, tags: ['a'], rows: [{ rank: 1 }] })).toBe(
      'id    7\ntags  ["a"]\n\nrows\nRANK\n1\n',
    );
  });

  it('removes control characters of texts by users', () => {
    expect(tableOf([{ text: 'a\u001b[31mb\nc\u0007' }])).toBe('TEXT\nab c\n');
  });

  it('says that there are no rows', () => {
    expect(tableOf([])).toBe('(none)\n');
  });
});
