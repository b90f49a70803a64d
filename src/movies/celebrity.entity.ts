import { Column, Entity } from 'typeorm';
import { IdColumn } from '../database/bigint-column';
import { EditedRow } from '../database/edited-row';

/** A person in movies. */
@Entity('celebrities')
export class Celebrity extends EditedRow {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text', { default: '' })
  name: string;

  @Column('text', { name: 'name_en', default: '' })
  nameEn: string;

  @Column('text', { name: 'avatar_small', default: '' })
  avatarSmall: string;

  @Column('text', { name: 'avatar_medium', default: '' })
  avatarMedium: string;

  @Column('text', { name: 'avatar_large', default: '' })
  avatarLarge: string;

  @Column('text', { default: '' })
  summary: string;

  @Column('text', { array: true, default: () => "'{}'" })
  aka: string[];

  @Column('text', { name: 'aka_en', array: true, default: () => "'{}'" })
  akaEn: string[];

  @Column('text', { default: '' })
  website: string;

  @Column('text', { default: '' })
  gender: string;

  @Column('text', { default: '' })
  birthday: string;

  @Column('text', { name: 'born_place', default: '' })
  bornPlace: string;

  @Column('text', { array: true, default: () => "'{}'" })
  professions: string[];

  @Column('text', { default: '' })
  constellation: string;

  @Column('boolean', { default: false })
  placeholder: boolean;
}
