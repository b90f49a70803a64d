import { Injectable } from '@nestjs/common';
import { idIn } from '../api/input/ids';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { type CityRow } from './cities.resources';

const BY_NAME = statement(
  'cities.by_name',
  `SELECT id::float8 AS id, uid, name, time_zone FROM cities
   WHERE (id = $2 OR uid = $1 OR name = $1) AND deleted_at IS NULL
   ORDER BY (id = $2) DESC NULLS LAST, (uid = $1) DESC, placeholder, id LIMIT 1`,
);

const COLUMNS = 'c.id, c.uid, c.name, c.parent, c.habitable';

const BY_ID = statement(
  'cities.by_id',
  `SELECT ${COLUMNS} FROM cities c WHERE c.id = $1 AND c.deleted_at IS NULL`,
);

const KEYS = statement(
  'cities.keys',
  `SELECT id::float8 AS id, uid, name, time_zone FROM cities
   WHERE id = ANY($1) AND deleted_at IS NULL ORDER BY id`,
);

const LIST = statement(
  'cities.list',
  paginated({
    hits: 'SELECT id FROM cities WHERE deleted_at IS NULL',
    key: 'id',
    order: ['id'],
    columns: COLUMNS,
    joins: 'LEFT JOIN cities c ON c.id = p.id',
    limit: ['$1', '$2'],
  }),
);

/** The columns of a city that lookups return. */
export interface CityKey {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** IANA time zone. */
  readonly time_zone: string;
}

@Injectable()
export class CitiesRepository {
  constructor(private readonly database: Database) {}

  /** A city by id, uid or name (D37, D39). The lowest id wins if several have the same name. */
  async byName(name: string): Promise<CityKey | undefined> {
    const [row] = await this.database.query<CityKey>(BY_NAME, [name, idIn(name)]);
    return row;
  }

  async findCityById(id: number): Promise<CityRow | undefined> {
    return (await this.database.query<CityRow>(BY_ID, [id]))[0];
  }

  /** Cities by their ids, sorted by id. */
  listKeys(ids: readonly number[]): Promise<CityKey[]> {
    return this.database.query<CityKey>(KEYS, [ids]);
  }

  /** All cities, sorted by id. */
  async list(page: PageQuery): Promise<Page<CityRow>> {
    const rows = await this.database.query<CityRow & PageRow>(LIST, [page.count, page.start]);
    return toPage(rows, page.start);
  }
}
