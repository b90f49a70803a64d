import { Books1763596800000 } from '../../migrations/1763596800000-books';

/** Every migration, oldest first. Named here rather than found by a pattern, so that a build
 * cannot leave one out. */
export const MIGRATIONS = [Books1763596800000];
