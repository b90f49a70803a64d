import { FIRST_USER, lines, Maker } from './synthetic';

/** Number of records to generate. */
export interface SyntheticNotes {
  readonly notes: number;
  readonly noteReplies: number;
  readonly noteLikes: number;
  /** The same seed generates the same records. */
  readonly seed: number;
}

/** Synthetic ids begin above real ones. */
const FIRST_NOTE = 600_000_000;
const FIRST_REPLY = 700_000_000;

/** Number of users who write and like notes. */
const WRITERS = 2000;

const two = (number: number): string => String(number).padStart(2, '0');

const timeOf = (make: Maker): string =>
  `20${10 + make.below(15)}-0${1 + make.below(9)}-${two(1 + make.below(28))} ${two(make.below(24))}:00:00`;

/** Notes, of which three quarters are public. */
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

/** Likes: users of a note are consecutive, so that no pair occurs twice. */
export function syntheticNoteLikes({ notes, noteLikes, seed }: SyntheticNotes): Generator<string> {
  const make = new Maker(seed + 22);
  return lines(Math.min(noteLikes, notes * WRITERS), (at) => ({
    note_id: FIRST_NOTE + (at % notes),
    user_id: FIRST_USER + (((at % notes) * 31 + Math.floor(at / notes)) % WRITERS),
    created: timeOf(make),
  }));
}
