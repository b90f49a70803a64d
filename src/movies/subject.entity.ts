import { Column, Entity } from 'typeorm';
import { IdColumn } from '../database/bigint-column';
import { EditedRow } from '../database/edited-row';

/** A movie or a series on television. */
@Entity('subjects')
export class Subject extends EditedRow {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text', { default: 'movie' })
  subtype: string;

  @Column('text', { default: '' })
  title: string;

  @Column('text', { name: 'original_title', default: '' })
  originalTitle: string;

  @Column('text', { array: true, default: () => "'{}'" })
  aka: string[];

  @Column('numeric', { name: 'rating_average', precision: 3, scale: 1, default: 0 })
  ratingAverage: string;

  @Column('smallint', { default: 0 })
  stars: number;

  @Column('integer', { name: 'ratings_count', default: 0 })
  ratingsCount: number;

  @Column('integer', { name: 'wish_count', default: 0 })
  wishCount: number;

  @Column('integer', { name: 'collect_count', default: 0 })
  collectCount: number;

  @Column('integer', { name: 'do_count', nullable: true })
  doCount: number | null;

  @Column('text', { name: 'image_small', default: '' })
  imageSmall: string;

  @Column('text', { name: 'image_medium', default: '' })
  imageMedium: string;

  @Column('text', { name: 'image_large', default: '' })
  imageLarge: string;

  @Column('text', { default: '' })
  website: string;

  @Column('text', { name: 'service_site', default: '' })
  serviceSite: string;

  @Column('text', { array: true, default: () => "'{}'" })
  pubdates: string[];

  @Column('text', { name: 'mainland_pubdate', default: '' })
  mainlandPubdate: string;

  @Column('text', { default: '' })
  year: string;

  @Column('text', { array: true, default: () => "'{}'" })
  languages: string[];

  @Column('text', { array: true, default: () => "'{}'" })
  durations: string[];

  @Column('text', { array: true, default: () => "'{}'" })
  genres: string[];

  @Column('text', { array: true, default: () => "'{}'" })
  countries: string[];

  @Column('text', { default: '' })
  summary: string;

  @Column('integer', { name: 'comments_count_base', default: 0 })
  commentsCountBase: number;

  @Column('integer', { name: 'reviews_count_base', default: 0 })
  reviewsCountBase: number;

  @Column('integer', { name: 'comments_count', default: 0 })
  commentsCount: number;

  @Column('integer', { name: 'reviews_count', default: 0 })
  reviewsCount: number;

  @Column('integer', { name: 'seasons_count', nullable: true })
  seasonsCount: number | null;

  @Column('integer', { name: 'current_season', nullable: true })
  currentSeason: number | null;

  @Column('integer', { name: 'episodes_count', nullable: true })
  episodesCount: number | null;

  @Column('boolean', { name: 'has_schedule', default: false })
  hasSchedule: boolean;

  @Column('text', { name: 'trailer_urls', array: true, default: () => "'{}'" })
  trailerUrls: string[];

  @Column('text', { name: 'clip_urls', array: true, default: () => "'{}'" })
  clipUrls: string[];

  @Column('text', { name: 'blooper_urls', array: true, default: () => "'{}'" })
  blooperUrls: string[];

  @Column('boolean', { default: false })
  placeholder: boolean;
}
