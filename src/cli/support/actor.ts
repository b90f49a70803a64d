import { userInfo } from 'node:os';
import { type Actor } from '../../audit/audit.service';

/** The operating system user, as the actor in the audit log. */
export function cliActor(): Actor {
  try {
    return { name: `cli:${userInfo().username}` };
  } catch {
    // The user of a container may have no name.
    return { name: 'cli' };
  }
}
