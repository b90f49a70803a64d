import { EntryHandler } from './entry.handler';

const handler = new EntryHandler({
  name: 'moderation-entry',
  table: 'moderation_queue',
  about: ['note'],
  of: ['kind', 'target_id'],
  columns: ['words', 'created_at'],
});
const rowOf = (members: object): unknown =>
  handler.parse({ id: '1', kind: 'note', target_id: '2', ...members }).row;

it.each([[[null]], [[['a']]], [[['a'], ['b']]], ['{NULL}'], [{}], [7]])(
  'words are a list of texts: %j is rejected',
  (words) => {
    expect(() => rowOf({ words })).toThrow(/words must be a list/);
  },
);

it('words are stored without control characters', () => {
  expect(rowOf({ words: ['a\0', '三'] })).toMatchObject({ words: ['a', '三'] });
});

it.each([
  ['2026-01-02T03:04:05+00:00', true],
  ['2026-01-02 03:04:05.678', true],
  ['2026-01-02', true],
  ['10000-01-01T04:59:59+00:00', true],
  ['0001-12-31T15:54:17+00:00 BC', true],
  ['10000-01-02', false],
  ['99999-01-01T00:00:00Z', false],
  ['0001-01-01T00:00:00 BC', false],
  ['4713-01-01T00:00:00 BC', false],
  ['now', false],
  ['infinity', false],
  [5, false],
])('accepts times that exports write: %j is %j', (time, isValid) => {
  const read = expect(() => rowOf({ created_at: time }));
  if (isValid) read.not.toThrow();
  else read.toThrow('created_at must be a time');
});
