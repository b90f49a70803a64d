import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { EditedRow } from '../database/edited-row';
import { Series } from './series.entity';

/** A book. */
@Entity('books')
export class Book extends EditedRow {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text', { default: 'book' })
  kind: string;

  @Column('text', { default: '' })
  isbn10: string;

  @Column('text', { default: '' })
  isbn13: string;

  @Column('text')
  title: string;

  @Column('text', { name: 'origin_title', default: '' })
  originTitle: string;

  @Column('text', { name: 'alt_title', default: '' })
  altTitle: string;

  @Column('text', { default: '' })
  subtitle: string;

  @Column('text', { name: 'image_small', default: '' })
  imageSmall: string;

  @Column('text', { name: 'image_medium', default: '' })
  imageMedium: string;

  @Column('text', { name: 'image_large', default: '' })
  imageLarge: string;

  @Column('text', { array: true, default: () => "'{}'" })
  author: string[];

  @Column('text', { array: true, default: () => "'{}'" })
  translator: string[];

  @Column('text', { default: '' })
  publisher: string;

  @Column('text', { default: '' })
  pubdate: string;

  @Column('integer', { name: 'published_on', nullable: true })
  publishedOn: number | null;

  @Column('text', { default: '' })
  binding: string;

  @Column('text', { default: '' })
  price: string;

  @Column('text', { default: '' })
  pages: string;

  @Column('bigint', { name: 'series_id', nullable: true, transformer: BIGINT })
  seriesId: number | null;

  @ManyToOne(() => Series, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'series_id', foreignKeyConstraintName: 'books_series' })
  series?: Relation<Series>;

  @Column('text', { name: 'author_intro', default: '' })
  authorIntro: string;

  @Column('text', { default: '' })
  summary: string;

  @Column('text', { default: '' })
  catalog: string;

  @Column('text', { name: 'ebook_url', nullable: true })
  ebookUrl: string | null;

  @Column('text', { name: 'ebook_price', nullable: true })
  ebookPrice: string | null;

  @Column('integer', { name: 'rating_base_count', default: 0 })
  ratingBaseCount: number;

  @Column('numeric', { name: 'rating_base_average', precision: 3, scale: 1, default: 0 })
  ratingBaseAverage: string;

  @Column('integer', { name: 'rating_count', default: 0 })
  ratingCount: number;

  @Column('integer', { name: 'rating_sum', default: 0 })
  ratingSum: number;

  @Column('boolean', { default: false })
  placeholder: boolean;
}
