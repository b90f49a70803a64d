import { LEVELS } from '../api/access/access';
import { bool, int, list, map, ref, resource, str, time, oneOf } from '../api/resources/resource';

const MEMBERS = {
  client_id: { type: str(), about: 'Client id, which is also the API key.' },
  name: { type: str(), about: 'Name of the application.' },
  owner: { type: str(), about: 'Uid of the owner; empty when an administrator created it.' },
  level: { type: oneOf(...LEVELS), about: 'Level: decides the limits of the application.' },
  public: { type: bool(), about: 'Whether it is a public client, which cannot keep a secret.' },
  scopes: { type: list(str()), about: 'Approved scopes.' },
  redirect_uris: { type: list(str()), about: 'Registered redirect URIs.' },
  limit_per_hour: {
    type: int(),
    default: null,
    about: 'Requests per hour, 0 for unlimited; null for the limit of its level.',
  },
  blocked: { type: bool(), about: 'Whether the application is blocked.' },
  blocked_reason: {
    type: str(),
    about: 'Reason of the block, for the owner; empty when it is not blocked.',
  },
  blocked_contact: { type: str(), about: 'Mail or web address for the owner.' },
  created: { type: time(), about: 'Time of creation.' },
  states: {
    type: map(str()),
    about: 'The latest decision on each scope and level, and on the application itself.',
  },
} as const;

/** An application in lists. */
export const AdminApplication = resource('AdminApplication', MEMBERS);

const Decision = resource('AdminDecision', {
  subject: { type: str(), about: 'Scope, level or `application` that the decision is about.' },
  state: { type: str(), about: 'New state, such as `pending`, `approved` or `declined`.' },
  actor: {
    type: str(),
    about: 'Uid of the actor, or `cli:` and the name of an operating system user.',
  },
  reason: { type: str(), about: 'Reason; may be empty.' },
  at: { type: time(), about: 'Time of the decision.' },
});

/** An application with its requests and decisions, newest first. */
export const AdminApplicationDetails = resource('AdminApplicationDetails', {
  ...MEMBERS,
  decisions: { type: list(ref(Decision)), about: 'Requests and decisions, newest first.' },
});
