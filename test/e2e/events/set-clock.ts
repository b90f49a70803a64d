import { Clock } from '../../../src/api/clock';
import { type Harness } from '../../harness';

/** Sets the clock of a server to an instant (RFC 3339), for good. */
export function setClock(harness: Harness, instant: string): void {
  const at = new Date(instant);
  harness.app.get(Clock, { strict: false }).now = () => at;
}
