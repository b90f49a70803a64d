import { MAX_CONTENT } from '../../src/api/input/text-limits';
import { foldCodePoint } from '../../src/text/fold';
import { cacheByCharacter } from '../../src/text/character-cache';
import { atScale } from '../figures';
import { Target } from './target';

/** The first of the ideographs outside of the Basic Multilingual Plane. */
const FIRST = 0x20000;

const ideographs = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(FIRST + at));

it('computes a character that stays the same only once, however many others a text has', () => {
  const calls = new Map<string, number>();
  const count = (character: string): string => {
    calls.set(character, (calls.get(character) ?? 0) + 1);
    return foldCodePoint(character);
  };
  const folded = cacheByCharacter(count);
  const text = ideographs(40_000);
  for (let time = 0; time < 3; time += 1) for (const character of text) folded(character);
  const repeated = text.filter((character) => folded(character) === character);
  expect(repeated.length).toBeGreaterThan(39_000);
  expect(Math.max(...repeated.map((character) => calls.get(character) ?? 0))).toBe(1);
});

it('serves other requests while notes of different rare characters are checked', async () => {
  const target = await Target.start();
  try {
    expect((await target.command(['word', 'add', 'forbidden'])).code).toBe(0);
    const { id: userId } = await target.make.aUser();
    const token = await target.token({ userId });
    const content = ideographs(MAX_CONTENT).join('');
    const write = () =>
      target.call('/v2/notes', {
        method: 'POST',
        token,
        body: new URLSearchParams({ title: 'rare', content }),
      });
    // The first text computes each character once.
    expect((await write()).status).toBe(201);
    const statuses = await target.attack('rare characters', async () => {
      const found: number[] = [];
      for (let at = 0; at < atScale(30, 2); at += 1) found.push((await write()).status);
      return found;
    });
    expect(new Set(statuses)).toEqual(new Set([201]));
  } finally {
    await target.close();
  }
});
