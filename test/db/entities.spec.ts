import { type ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { openTestDatabase, type TestDatabase } from '../harness';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

/** Tables of TypeORM itself. */
const OWN = ['migrations'];

const COLUMNS = `SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
    || CASE a.attidentity WHEN 'a' THEN ' identity always' WHEN 'd' THEN ' identity by default'
       ELSE '' END AS line
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
    AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> ALL ($1)`;

// Further columns that an index of a constraint includes are no part of the constraint.
const CONSTRAINTS = `SELECT c.relname || ' ' || CASE k.contype WHEN 'p' THEN '' ELSE k.conname || ' ' END
    || regexp_replace(replace(pg_get_constraintdef(k.oid), 'UNIQUE NULLS NOT DISTINCT', 'UNIQUE'),
      ' INCLUDE [(][^)]*[)]', '') AS line
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE k.contype IN ('p', 'u', 'f') AND c.relnamespace = current_schema()::regnamespace
    AND c.relname <> ALL ($1)`;

const PRESETS = `SELECT table_name || '.' || column_name AS line FROM information_schema.columns
  WHERE table_schema = current_schema() AND (column_default IS NOT NULL OR is_identity = 'YES')
    AND table_name <> ALL ($1)`;

const stored = async (sql: string): Promise<string[]> =>
  (await opened.source.query<{ line: string }[]>(sql, [OWN])).map(({ line }) => line).sort();

const typeOf = (column: ColumnMetadata): string => {
  const { precision, scale, isArray } = column;
  const size = typeof precision === 'number' ? `(${precision},${scale ?? 0})` : '';
  return `${opened.source.driver.normalizeType(column)}${size}${isArray ? '[]' : ''}`;
};

const columnsOf = (): string[] =>
  opened.source.entityMetadatas
    .flatMap(({ tableName, columns }) =>
      columns.map((column) => {
        const { databaseName, isNullable, generatedIdentity } = column;
        const identity = generatedIdentity ? ` identity ${generatedIdentity.toLowerCase()}` : '';
        return `${tableName}.${databaseName} ${typeOf(column)}${isNullable ? '' : ' not null'}${identity}`;
      }),
    )
    .sort();

/** Columns whose value PostgreSQL generates or presets. */
const presetsOf = (): string[] =>
  opened.source.entityMetadatas
    .flatMap(({ tableName, columns }) =>
      columns
        .filter((column) => column.default !== undefined || column.isGenerated)
        .map(({ databaseName }) => `${tableName}.${databaseName}`),
    )
    .sort();

const listed = (columns: readonly ColumnMetadata[]): string =>
  `(${columns.map(({ databaseName }) => databaseName).join(', ')})`;

const constraintsOf = (): string[] =>
  opened.source.entityMetadatas
    .flatMap(({ tableName, primaryColumns, uniques, foreignKeys }) => [
      `${tableName} PRIMARY KEY ${listed(primaryColumns)}`,
      ...uniques.map(({ name, columns }) => `${tableName} ${name} UNIQUE ${listed(columns)}`),
      ...foreignKeys.map(({ name, columns, referencedColumns, referencedTablePath, onDelete }) => {
        const reaction = onDelete && onDelete !== 'NO ACTION' ? ` ON DELETE ${onDelete}` : '';
        const target = `${referencedTablePath}${listed(referencedColumns)}`;
        return `${tableName} ${name} FOREIGN KEY ${listed(columns)} REFERENCES ${target}${reaction}`;
      }),
    ])
    .sort();

describe('the entities of TypeORM', () => {
  it('have the columns and types of all tables', async () => {
    expect(columnsOf()).toEqual(await stored(COLUMNS));
  });

  it('have the defaults of all columns', async () => {
    expect(presetsOf()).toEqual(await stored(PRESETS));
  });

  it('have the primary keys, unique constraints and foreign keys of all tables', async () => {
    expect(constraintsOf()).toEqual(await stored(CONSTRAINTS));
  });
});
