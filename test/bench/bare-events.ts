import { BY_ID, USERS_OF } from '../../src/events/events.repository';
import { DAY_TYPES } from '../../src/events/day-types';
import { listStatement } from '../../src/events/event-lists.repository';
import { type Statement } from '../../src/database/database';

/** The statement that the service answers a path of the event area with. */
export function eventStatement(
  path: string,
  query: URLSearchParams,
  user: number,
): readonly [Statement, unknown[]] {
  const page = {
    start: Number(query.get('start') ?? 0),
    count: Number(query.get('count') ?? 20),
  };
  const [, , , id, list] = path.split('/');
  if (id === 'list') {
    const city = query.get('loc');
    const { statement, values } = listStatement(
      {
        now: new Date(),
        city: city === null ? undefined : Number(city),
        days: DAY_TYPES[query.get('day_type') ?? 'future'],
      },
      user,
      page,
    );
    return [statement, values];
  }
  if (list === 'participants') {
    return [USERS_OF.participate, [page.count, page.start, Number(id), user, 'participate']];
  }
  return [BY_ID, [Number(id), user]];
}
