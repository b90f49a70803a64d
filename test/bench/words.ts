import { Matcher, type BannedWord } from '../../src/moderation/matcher';

const WORDS = 20_000;
const CHARACTERS = 10_000;
const ROUNDS = 200;

/** Numbers that are the same each time (Lehmer). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const next = numbers(7);
const ideograph = (): string => String.fromCodePoint(0x4e00 + next(3000));
const letter = (): string => String.fromCharCode(97 + next(26));
const text = (length: number, one: () => string): string => Array.from({ length }, one).join('');

const words = Array.from({ length: WORDS }, (_, at): BannedWord => {
  const word = at % 4 === 0 ? text(4 + next(7), letter) : text(2 + next(4), ideograph);
  return { word, action: at % 2 === 0 ? 'refuse' : 'hold' };
});

/** Half Chinese, half Latin words, as long as asked for. */
function prose(): string {
  let result = '';
  while (result.length < CHARACTERS) {
    result += next(2) === 0 ? text(8, ideograph) : ` ${text(2 + next(9), letter)} `;
  }
  return result.slice(0, CHARACTERS);
}

/** Every way of disguise at once: the text is read in every way there is. */
const disguised = (): string => `b4ddd ${prose()}`.replaceAll('e', '3').slice(0, CHARACTERS);

function measure(what: string, make: () => string, matcher: Matcher): void {
  const times = Array.from({ length: ROUNDS }, () => {
    const given = make();
    const began = performance.now();
    matcher.find(given);
    return performance.now() - began;
  }).sort((one, other) => one - other);
  const at = (share: number): string => (times[Math.floor(share * ROUNDS)] ?? 0).toFixed(2);
  process.stdout.write(
    `${what}: median ${at(0.5)} ms, 99 in 100 ${at(0.99)} ms, slowest ${(times.at(-1) ?? 0).toFixed(2)} ms\n`,
  );
}

const began = performance.now();
const refusing = new Matcher(words);
process.stdout.write(`${WORDS} words built in ${(performance.now() - began).toFixed(0)} ms\n`);
// Words that hold let the whole text be read; words that refuse end the search.
const holding = new Matcher(words.map(({ word }) => ({ word, action: 'hold' })));
measure(`${CHARACTERS} characters`, prose, holding);
measure(`${CHARACTERS} characters, refused as soon as a word is found`, prose, refusing);
measure(`${CHARACTERS} characters in disguise, read in every way`, disguised, holding);
const letters = new Matcher(words.map(({ word }) => ({ word: `${word}aa`, action: 'hold' })));
measure(`${CHARACTERS} characters that all begin words`, () => 'a'.repeat(CHARACTERS), letters);
