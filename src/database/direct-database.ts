import { Injectable } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { type Settings } from '../config/settings';
import { makeDataSource, type EntityClass } from './data-source';
import { Database } from './database';

/** Connections of a job at most: the lanes of an import, and one that looks meanwhile. */
const POOL = 4;

/**
 * The database on connections that are sessions of PostgreSQL itself: what listens, holds locks of a
 * session, has temporary tables, or keeps a transaction for as long as an export takes, uses these.
 * Without a pooler in transaction mode they are the same as all others.
 */
@Injectable()
export class DirectDatabase extends Database {}

/** The data source of `DATABASE_DIRECT_URL`; it opens connections when they are needed. */
export const makeDirectDataSource = (
  settings: Settings,
  url: string,
  entities: readonly EntityClass[],
): DataSource => {
  const own = Object.create(settings) as Settings;
  own.DATABASE_POOL = Math.min(settings.DATABASE_POOL, POOL);
  return makeDataSource(own, url, entities);
};
