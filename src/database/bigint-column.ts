import { PrimaryGeneratedColumn, type ValueTransformer } from 'typeorm';

/** Reads `bigint` columns as numbers. Ids and counts are below 2^53; `pg` returns them as text. */
export const BIGINT: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** A primary key from a sequence. @param generatedIdentity whether statements may state the value */
export const IdColumn = (generatedIdentity: 'ALWAYS' | 'BY DEFAULT'): PropertyDecorator => {
  const options = { type: 'bigint', generatedIdentity, transformer: BIGINT } as const;
  return PrimaryGeneratedColumn('identity', options);
};
