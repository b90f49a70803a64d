/** A GET of the event area, as the specification's section 4.4 lists it. */
export interface EventGet {
  readonly path: string;
  /** Shape of the response; for a list, of each element. */
  readonly shape: 'Event' | 'EventUser' | 'City';
  /** Name of the list's member; absent for a single object. */
  readonly member?: 'events' | 'users' | 'locs';
  /** Parameters beside `start` and `count`. */
  readonly query?: readonly string[];
}

export const EVENT_GETS: readonly EventGet[] = [
  { path: '/v2/event/:id', shape: 'Event' },
  { path: '/v2/event/:id/participants', shape: 'EventUser', member: 'users' },
  { path: '/v2/event/:id/wishers', shape: 'EventUser', member: 'users' },
  { path: '/v2/event/user_created/:id', shape: 'Event', member: 'events' },
  {
    path: '/v2/event/user_participated/:id',
    shape: 'Event',
    member: 'events',
    query: ['status'],
  },
  { path: '/v2/event/user_wished/:id', shape: 'Event', member: 'events', query: ['status'] },
  {
    path: '/v2/event/list',
    shape: 'Event',
    member: 'events',
    // The last three are our own.
    query: ['loc', 'day_type', 'type', 'ids', 'near', 'radius'],
  },
  { path: '/v2/loc/:id', shape: 'City' },
  { path: '/v2/loc/list', shape: 'City', member: 'locs' },
];

/** Our own: events as calendars. */
export const EVENT_CALENDARS: readonly string[] = ['/v2/event/:id.ics', '/v2/event/list.ics'];

/** Writes of section 4.4 with their body's parameters; all respond with 202. */
export const EVENT_WRITES: readonly { method: string; path: string; body: readonly string[] }[] = [
  { method: 'POST', path: '/v2/event/:id/participants', body: ['participate_date'] },
  { method: 'DELETE', path: '/v2/event/:id/participants', body: [] },
  { method: 'POST', path: '/v2/event/:id/wishers', body: [] },
  { method: 'DELETE', path: '/v2/event/:id/wishers', body: [] },
];

/** Values of parameters (section 4.4); types also by number (section 2.10). */
export const EVENT_VALUES = {
  status: ['ongoing', 'expired'],
  day_type: ['future', 'week', 'weekend', 'today', 'tomorrow'],
  type: [
    ...['all', 'music', 'film', 'drama', 'commonweal', 'salon', 'exhibition', 'party', 'sports'],
    ...['travel', 'others', '10', '11', '12', '13', '14', '15', '16', '17', '18'],
  ],
};
