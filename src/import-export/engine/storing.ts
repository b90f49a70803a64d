import { type Database } from '../../database/database';

/** The database methods that an import uses. */
export type Storing = Pick<Database, 'query' | 'transaction' | 'maxConnections' | 'source'>;
