/** Numbers of event types by name (specification section 2.10). */
export const EVENT_TYPES: Readonly<Record<string, number>> = {
  music: 10,
  drama: 11,
  exhibition: 12,
  salon: 13,
  party: 14,
  sports: 15,
  travel: 16,
  commonweal: 17,
  film: 18,
};

/** Stored number of an event without one of the nine types. */
export const OTHER_TYPE = 0;
