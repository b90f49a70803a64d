import { BannedWordHandler } from './banned-word.handler';

const read = (created: unknown): unknown =>
  new BannedWordHandler().parse({ id: '1', word: 'word', action: 'hold', created });

it('the creation of a banned word is a time', () => {
  const created = '2026-01-02T03:04:05+00:00';
  expect(read(created)).toMatchObject({ created });
  for (const invalid of ['infinity', 'now', '', undefined])
    expect(() => read(invalid)).toThrow('created must be a time');
});
