import { json, resource, str, time } from '../api/resources/resource';

/** What somebody changed. */
export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly actor_id: number | null;
  readonly action: string;
  readonly kind: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
}

/** A change: who, when, what, before and after. */
export const AuditEntry = resource('AuditEntry', {
  id: { type: str() },
  at: { type: time() },
  actor: { type: str(), about: 'Uid, or `cli:` and the name of a user of the machine.' },
  actor_id: { type: str(), default: null },
  action: { type: str() },
  kind: { type: str() },
  target: { type: str(), about: 'What says which thing of its kind was changed.' },
  before: { type: json(), default: null, about: 'As it was; null when it was not there.' },
  after: { type: json(), default: null, about: 'As it was then; null when it was gone.' },
  request_id: { type: str(), default: null },
});
