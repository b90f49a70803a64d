import { Maker } from '../../../src/import-export/synthetic/synthetic';
import { CITIES, FIRST, largeList, ZONES, type Catalogue } from './catalogue';
import { count, moment, ownerOf, pick, table, two, type TableRows } from './table-rows';

const SEED = 19;

/** Participants of an event but the first. */
function participantsOf(at: number, catalogue: Catalogue): number {
  const rest = catalogue.participations - largeList(catalogue);
  return Math.floor((rest - at) / (catalogue.events - 1)) + 1;
}

/** Begin and end of an event: 3.5 hours on a day of 20 years. */
function spanOf(at: number): [begin: string, end: string] {
  const hours = Math.floor((((at * 2_654_435_761) % 2 ** 32) / 2 ** 32) * 20 * 12 * 28 * 20);
  const [days, hour] = [Math.floor(hours / 20), hours % 20];
  const [months, date] = [Math.floor(days / 28), days % 28];
  const day = `${2017 + Math.floor(months / 12)}-${two(1 + (months % 12))}-${two(1 + date)}`;
  return [`${day} ${two(hour)}:00:00+08`, `${day} ${two(hour + 3)}:30:00+08`];
}

/** Whether an event is private: every fiftieth. */
const isPrivate = (at: number): boolean => at % 50 === 7;

/** Rows of cities, events and participations, in the order of their references. */
export const EVENT_TABLES: readonly TableRows[] = [
  table('cities', 'id uid name time_zone', () =>
    count(CITIES, (at) => [FIRST + at, `scale${at}`, `城市${at}`, ZONES[at % 3] as string]),
  ),
  table(
    'events',
    'id title content begins_at ends_at address lat lon city_id category owner_id private participants',
    (catalogue) => {
      const make = new Maker(SEED);
      return count(catalogue.events, (at) => {
        return [
          ...[FIRST + at, make.hanzi(12), make.hanzi(100), ...spanOf(at), make.hanzi(15)],
          ...[20 + make.below(250_000) / 10_000, 90 + make.below(300_000) / 10_000],
          ...[FIRST + (at % CITIES), pick(make, ['music', 'salon', 'exhibition', 'others'])],
          FIRST + ownerOf(at, largeList(catalogue), catalogue.users),
          isPrivate(at) ? 't' : 'f',
          at === 0 ? largeList(catalogue) : participantsOf(at, catalogue),
        ];
      });
    },
  ),
  table(
    'participations',
    'user_id event_id kind joined_at begins_at ends_at event_visibility',
    (catalogue) => {
      const make = new Maker(SEED + 1);
      const { participations, events, users } = catalogue;
      const large = largeList(catalogue);
      return count(participations, (at) => {
        // The first event and the first user have large lists.
        const event = at < large ? 0 : 1 + ((at - large) % (events - 1));
        const turn = Math.floor((at - large) / (events - 1));
        const user =
          at < large ? at % users : at < large * 2 ? 0 : 1 + ((event * 31 + turn) % (users - 1));
        return [
          ...[FIRST + user, FIRST + event, 'participate', moment(make, 2015, 10)],
          ...[...spanOf(event), isPrivate(event) ? 2 : 0],
        ];
      });
    },
  ),
];
