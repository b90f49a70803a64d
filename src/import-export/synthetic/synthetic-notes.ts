import { FIRST_USER, lines, Maker } from './synthetic';

/** How much to make of notes. */
export interface SyntheticNotes {
  readonly notes: number;
  readonly noteReplies: number;
  readonly noteLikes: number;
  /** The same seed makes the same records. */
  readonly seed: number;
}

/** Ids of synthetic records come after those of real ones. */
const FIRST_NOTE = 600_000_000;
const FIRST_REPLY = 700_000_000;

/** Users that write and like notes. */
const WRITERS = 2000;

const two = (number: number): string => String(number).padStart(2, '0');

const timeOf = (make: Maker): string =>
  `20${10 + make.below(15)}-0${1 + make.below(9)}-${two(1 + make.below(28))} ${two(make.below(24))}:00:00`;

/** Notes, three of four of them public. */
export function syntheticNotes({ notes, seed }: SyntheticNotes): Generator<string> {
  const make = new Maker(seed + 20);
  return lines(notes, (at) => ({
    id: FIRST_NOTE + at,
    author_id: FIRST_USER + make.below(WRITERS),
    title: make.title(),
    content: `${make.hanzi(120)}\n\n${make.hanzi(80)}`,
    privacy: ['public', 'public', 'public', 'friend', 'private'][make.below(5)],
    can_reply: make.below(10) > 0,
    publish_time: timeOf(make),
  }));
}

export function syntheticNoteReplies(volume: SyntheticNotes): Generator<string> {
  const make = new Maker(volume.seed + 21);
  return lines(volume.noteReplies, (at) => ({
    id: FIRST_REPLY + at,
    note_id: FIRST_NOTE + make.below(volume.notes),
    author_id: FIRST_USER + make.below(WRITERS),
    content: make.hanzi(20),
    created: timeOf(make),
  }));
}

/** Likes: users of one note follow each other, so that no pair comes twice. */
export function syntheticNoteLikes({ notes, noteLikes, seed }: SyntheticNotes): Generator<string> {
  const make = new Maker(seed + 22);
  return lines(Math.min(noteLikes, notes * WRITERS), (at) => ({
    note_id: FIRST_NOTE + (at % notes),
    user_id: FIRST_USER + (((at % notes) * 31 + Math.floor(at / notes)) % WRITERS),
    created: timeOf(make),
  }));
}
