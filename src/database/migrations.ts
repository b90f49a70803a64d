import { Books1763596800000 } from '../../migrations/1763596800000-books';
import { Authorization1763683200000 } from '../../migrations/1763683200000-authorization';
import { Idempotency1763769500000 } from '../../migrations/1763769500000-idempotency';
import { Limits1763683300000 } from '../../migrations/1763683300000-limits';
import { Notes1763942400000 } from '../../migrations/1763942400000-notes';
import { Pictures1763769600000 } from '../../migrations/1763769600000-pictures';
import { Movies1763942300000 } from '../../migrations/1763942300000-movies';
import { Cities1763856000000 } from '../../migrations/1763856000000-cities';
import { TransferJobs1764201600000 } from '../../migrations/1764201600000-transfer-jobs';
import { Events1764028800000 } from '../../migrations/1764028800000-events';

/** Every migration, oldest first. Named here rather than found by a pattern, so that a build
 * cannot leave one out. */
export const MIGRATIONS = [
  Books1763596800000,
  Authorization1763683200000,
  Limits1763683300000,
  Idempotency1763769500000,
  Pictures1763769600000,
  Cities1763856000000,
  Movies1763942300000,
  Notes1763942400000,
  Events1764028800000,
  TransferJobs1764201600000,
];
