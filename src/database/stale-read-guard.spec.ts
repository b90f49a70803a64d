import { StaleReadGuard } from './stale-read-guard';

it('does not apply rows of a read that began earlier and ended later', async () => {
  const ends: ((rows: string) => void)[] = [];
  const applied: string[] = [];
  const guard = new StaleReadGuard(
    () => new Promise<string>((resolve) => ends.push(resolve)),
    (rows) => applied.push(rows),
  );
  const reads = [guard.refresh(), guard.refresh(), guard.refresh()];
  ends[1]?.('second');
  await reads[1];
  ends[0]?.('first');
  expect(await reads[0]).toBe('first');
  ends[2]?.('third');
  await reads[2];
  expect(applied).toEqual(['second', 'third']);
});
