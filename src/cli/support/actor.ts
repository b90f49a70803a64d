import { userInfo } from 'node:os';
import { type Actor } from '../../audit/audit.service';

/** Whoever works on the machine itself, for the log of changes. */
export function cliActor(): Actor {
  try {
    return { name: `cli:${userInfo().username}` };
  } catch {
    // In a container the user may have no name.
    return { name: 'cli' };
  }
}
