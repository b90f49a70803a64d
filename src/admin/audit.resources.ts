import { json, resource, str, time } from '../api/resources/resource';

/** An entry of the audit log: actor, time, action, state before and after. */
export const AuditEntry = resource('AuditEntry', {
  id: { type: str() },
  at: { type: time() },
  actor: { type: str(), about: 'Uid, or `cli:` and the name of an operating system user.' },
  actor_id: { type: str(), default: null },
  action: { type: str() },
  kind: { type: str() },
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
  request_id: { type: str(), default: null },
});
