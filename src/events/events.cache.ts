import { type CacheRule } from '../api/cache/cache-rule';
import { type EventRow, type UsersOfEvent } from './events.rows';

const dependsOn: CacheRule['dependsOn'] = ({ id = '' }) => [
  `event:${Number(id)}`,
  'users',
  'cities',
];

/** An event by its id. It differs for users who were invited. */
export const EVENT_BY_ID: CacheRule = {
  dependsOn,
  users: {
    dependsOn: ({ id = '' }, userId) => [`invitation:${userId}:${Number(id)}`],
    isPersonal: (result) => (result as EventRow).private || (result as EventRow).invited,
  },
};

/** Users of an event. Private events have other users for callers who were not invited: none. */
export const USERS_OF_EVENT: CacheRule = {
  dependsOn,
  users: {
    dependsOn: ({ id = '' }, userId) => [
      `event_users:${userId}:${Number(id)}`,
      `invitation:${userId}:${Number(id)}`,
    ],
    isPersonal: (result) => (result as UsersOfEvent).private,
  },
};
