import { encodePosition } from '../database/replicas/log-position';
import { MemoryWriteMarks } from './write-marks';

it('remembers the later position of a caller; a later timeline replaces a former one', async () => {
  const marks = new MemoryWriteMarks(1000);
  const at = (timeline: number, position: number): string => encodePosition({ timeline, position });
  const set = async (position: string): Promise<string | undefined> => {
    await marks.set('user:1', position);
    return (await marks.find('user:1'))?.position;
  };
  expect(await set(at(1, 900))).toBe(at(1, 900));
  expect(await set(at(1, 800))).toBe(at(1, 900));
  expect(await set(at(2, 100))).toBe(at(2, 100));
  expect(await set(at(1, 1000))).toBe(at(2, 100));
});

it('a write is remembered until every usable replica has it', async () => {
  jest.useFakeTimers();
  const marks = new MemoryWriteMarks(600_000);
  const position = encodePosition({ timeline: 1, position: 900 });
  await marks.set('user:1', position);
  jest.advanceTimersByTime(650_000);
  expect((await marks.find('user:1'))?.position).toBe(position);
  jest.advanceTimersByTime(10_000);
  expect(await marks.find('user:1')).toBeUndefined();
  jest.useRealTimers();
});
