import { EVENT_TYPES } from '../../events/event-types';
import { FIRST_USER, lines, Maker } from './synthetic';

/** Number of records to generate. */
export interface SyntheticEvents {
  readonly events: number;
  /** Participations and interests. */
  readonly participations: number;
  /** The same seed generates the same records. */
  readonly seed: number;
}

/** Synthetic ids begin above real ones. */
export const FIRST_EVENT = 400_000_000;
export const FIRST_CITY = 500_000_000;

/** Number of cities with synthetic events. */
export const SYNTHETIC_CITIES = 100;

/** Maximum number of participations of the first event, which is popular. */
const CROWD = 25_000;

const TYPES = [...Object.keys(EVENT_TYPES), 'others'];

const two = (number: number): string => String(number).padStart(2, '0');

/** Events over twenty years; about half of them are not over yet. */
export function syntheticEvents({ events, seed }: SyntheticEvents): Generator<string> {
  const make = new Maker(seed + 2);
  return lines(events, (at) => {
    const day = `${2017 + make.below(20)}-${two(1 + make.below(12))}-${two(1 + make.below(28))}`;
    const hour = make.below(20);
    const city = make.below(SYNTHETIC_CITIES);
    return {
      id: FIRST_EVENT + at,
      title: make.hanzi(12),
      content: `<p>${make.hanzi(150)}</p>`,
      begin_time: `${day} ${two(hour)}:00:00`,
      end_time: `${day} ${two(hour + 3)}:30:00`,
      address: make.hanzi(15),
      geo: `${(20 + make.below(250_000) / 10_000).toFixed(4)} ${(90 + make.below(300_000) / 10_000).toFixed(4)}`,
      loc_id: FIRST_CITY + city,
      loc_name: `城市${city}`,
      category: TYPES[make.below(TYPES.length)],
      owner_id: FIRST_USER + make.below(1000),
      participant_count: make.below(200),
      wisher_count: make.below(400),
    };
  });
}

/**
 * Participations: the first event has many, the others a few each. Users of an event are
 * consecutive, so that no pair occurs twice.
 */
export function syntheticParticipations(volume: SyntheticEvents): Generator<string> {
  const { events, participations, seed } = volume;
  const make = new Maker(seed + 3);
  const crowd = Math.min(CROWD, Math.floor(participations / 4));
  return lines(participations, (at) => {
    const rest = at - crowd;
    const others = Math.max(1, events - 1);
    const event = rest < 0 ? 0 : Math.min(1 + (rest % others), events - 1);
    const user = rest < 0 ? at : (event * 31 + Math.floor(rest / others)) % CROWD;
    return {
      event_id: FIRST_EVENT + event,
      user_id: FIRST_USER + user,
      kind: rest < 0 || make.below(2) === 0 ? 'participate' : 'wish',
      date: `2026-0${1 + make.below(9)}-${two(1 + make.below(28))} ${two(make.below(24))}:00:00`,
    };
  });
}
