import { LEVELS } from '../api/access/access';
import { bool, int, list, map, ref, resource, str, time, oneOf } from '../api/resources/resource';

const MEMBERS = {
  client_id: { type: str() },
  name: { type: str() },
  owner: { type: str(), about: 'Uid of the owner; empty when an administrator created it.' },
  level: { type: oneOf(...LEVELS) },
  public: { type: bool(), about: 'Whether it is a public client, which cannot keep a secret.' },
  scopes: { type: list(str()), about: 'Approved scopes.' },
  redirect_uris: { type: list(str()) },
  limit_per_hour: {
    type: int(),
    default: null,
    about: 'Requests per hour, 0 for unlimited; null for the limit of its level.',
  },
  blocked: { type: bool() },
  blocked_reason: { type: str() },
  blocked_contact: { type: str(), about: 'Mail or web address for the owner.' },
  created: { type: time() },
  states: {
    type: map(str()),
    about: 'The latest decision on each scope and level, and on the application itself.',
  },
} as const;

/** An application in lists. */
export const AdminApplication = resource('AdminApplication', MEMBERS);

const Decision = resource('AdminDecision', {
  subject: { type: str() },
  state: { type: str() },
  actor: { type: str() },
  reason: { type: str() },
  at: { type: time() },
});

/** An application with its requests and decisions, newest first. */
export const AdminApplicationDetails = resource('AdminApplicationDetails', {
  ...MEMBERS,
  decisions: { type: list(ref(Decision)) },
});
