import { Column } from 'typeorm';

/** Columns of search terms. */
export abstract class SearchRow {
  @Column('text')
  title: string;

  @Column('text')
  body: string;

  @Column('tsvector')
  terms: string;

  @Column('integer', { default: 0 })
  popularity: number;
}
