import { type CacheRule, type UserRule } from '../api/cache/cache-rule';
import { type EventRow, type UsersOfEvent } from './events.rows';

const dependsOn: CacheRule['dependsOn'] = ({ id = '' }) => [
  `event:${Number(id)}`,
  'users',
  'cities',
];

const invitationOf: UserRule['dependsOn'] = ({ id = '' }, userId) => [
  `invitation:${userId}:${Number(id)}`,
];

/** An event by its id. It differs for users who were invited. */
export const EVENT_BY_ID: CacheRule = {
  dependsOn,
  users: {
    dependsOn: invitationOf,
    isPersonal: (result) => (result as EventRow).private || (result as EventRow).invited,
  },
};

/** Users of an event. Private events have other users for callers who were not invited: none. */
export const USERS_OF_EVENT: CacheRule = {
  dependsOn,
  users: {
    dependsOn: invitationOf,
    isPersonal: (result) => (result as UsersOfEvent).private,
  },
};
