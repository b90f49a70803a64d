import { linesOf, tableOf } from './output';

describe('output for a terminal', () => {
  it('aligns columns, also of Chinese text', () => {
    expect(
      tableOf([
        { id: 1, name: '林默' },
        { id: 20, name: 'ann' },
      ]),
    ).toBe('ID  NAME\n1   林默\n20  ann\n');
  });

  it('omits empty columns, and shortens texts but no times and client ids', () => {
    const long = 'word '.repeat(40).trim();
    const [heading, line] = tableOf([
      { at: '2026-11-23 15:26:56', id: 'a41ebabf07946a29f629c4c9', by: null, long, other: long },
    ]).split('\n');
    expect(heading).toMatch(/^AT {19}ID {24}LONG +OTHER$/);
    expect(line).toMatch(/^2026-11-23 15:26:56 {2}a41ebabf07946a29f629c4c9 {2}(word )+.*… {2}.*…$/);
    expect(line?.length).toBeLessThanOrEqual(process.stdout.columns || 120);
  });

  it('prints members in lines, and lists of objects as tables', () => {
    expect(linesOf({ id: 7, tags: ['a', 'b'], rows: [{ rank: 1 }] })).toBe(
      'id    7\ntags  a, b\n\nrows\nRANK\n1\n',
    );
  });

  it('removes control characters of texts by users', () => {
    expect(tableOf([{ text: 'a\u001b[31mb\nc\u0007' }])).toBe('TEXT\nab c\n');
  });

  it('says that there are no rows', () => {
    expect(tableOf([])).toBe('(none)\n');
  });
});
