import {
  FIRST_CITY,
  FIRST_EVENT,
  SYNTHETIC_CITIES,
} from '../../src/import-export/synthetic/synthetic-events';
import { type Case } from './cases';

/** Every case of the event area, on a number of events. */
export function eventCasesOf(events: number, below: (limit: number) => number): Case[] {
  const many = (path: () => string): string[] => Array.from({ length: 2000 }, path);
  const inCity = (query: string) => () =>
    `/v2/event/list?loc=${FIRST_CITY + below(SYNTHETIC_CITIES)}${query}`;
  const measured = (name: string, paths: string[]): Case => ({
    ...{ name, clients: 16, paths, ratio: 0.25 },
  });
  return [
    measured(
      'event by id',
      many(() => `/v2/event/${FIRST_EVENT + below(events)}`),
    ),
    measured('events of a city', many(inCity(''))),
    measured('events of a city, week', many(inCity('&day_type=week'))),
    measured('events, this week', ['/v2/event/list?day_type=week']),
    measured('event participants, start 0', [`/v2/event/${FIRST_EVENT}/participants`]),
    measured('event participants, start 10000', [
      `/v2/event/${FIRST_EVENT}/participants?start=10000`,
    ]),
  ];
}
