import { json, resource, str, time } from '../api/resources/resource';

/** An entry of the audit log: actor, time, action, state before and after. */
export const AuditEntry = resource('AuditEntry', {
  id: { type: str(), about: 'Id of the entry.' },
  at: { type: time(), about: 'Time of the change.' },
  actor: { type: str(), about: 'Uid, or `cli:` and the name of an operating system user.' },
  actor_id: {
    type: str(),
    default: null,
    about: 'Id of the user who made the change; null for commands.',
  },
  action: { type: str(), about: 'What happened, such as `book.update`.' },
  kind: { type: str(), about: 'Type of the target.' },
  target: { type: str(), about: 'Id of the changed target.' },
  before: {
    type: json(),
    default: null,
    about: 'State before the change; null when it did not exist.',
  },
  after: {
    type: json(),
    default: null,
    about: 'State after the change; null when it was deleted.',
  },
  request_id: { type: str(), default: null, about: 'Id of the request; null for commands.' },
});
