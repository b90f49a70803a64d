import { Injectable } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { type Settings } from '../config/settings';
import { makeDataSource, type EntityClass } from './data-source';
import { Database } from './database';

/**
 * Maximum number of connections of a job: the lanes of an import, one that flushes indexes, and one
 * for monitoring.
 */
const POOL = 5;

/**
 * The database through direct PostgreSQL sessions, for LISTEN, session locks, temporary tables and
 * the long transactions of exports. Without a pooler in transaction mode it has the same
 * connections as {@link Database}.
 */
@Injectable()
export class DirectDatabase extends Database {}

/** The data source of `DATABASE_DIRECT_URL`; it opens connections on demand. */
export const makeDirectDataSource = (
  settings: Settings,
  url: string,
  entities: readonly EntityClass[],
): DataSource => {
  const own = Object.create(settings) as Settings;
  // Reads of its work never use replicas.
  own.DATABASE_REPLICA_URLS = undefined;
  own.DATABASE_POOL = Math.min(settings.DATABASE_POOL, POOL);
  return makeDataSource(own, url, entities);
};
