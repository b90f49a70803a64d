import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { EditedRow } from '../database/edited-row';
import { City } from '../cities/city.entity';
import { User } from '../users/user.entity';

/** An event in a city. */
@Entity('events')
export class Event extends EditedRow {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text')
  title: string;

  @Column('text', { default: '' })
  content: string;

  @Column('text', { default: '' })
  image: string;

  @Column('text', { name: 'image_hlarge', default: '' })
  imageHlarge: string;

  @Column('text', { name: 'image_lmobile', default: '' })
  imageLmobile: string;

  @Column('timestamptz', { name: 'begins_at' })
  beginsAt: Date;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  @Column('text', { default: '' })
  address: string;

  @Column('text', { default: '' })
  geo: string;

  @Column('double precision', { nullable: true })
  lat: number | null;

  @Column('double precision', { nullable: true })
  lon: number | null;

  @Column('bigint', { name: 'city_id', transformer: BIGINT })
  cityId: number;

  @ManyToOne(() => City)
  @JoinColumn({ name: 'city_id', foreignKeyConstraintName: 'events_city' })
  city?: Relation<City>;

  @Column('text', { default: '' })
  album: string;

  @Column('text', { default: 'others' })
  category: string;

  @Column({ type: 'smallint', insert: false, update: false })
  type: number;

  @Column('boolean', { default: false })
  private: boolean;

  @Column('boolean', { name: 'can_invite', default: false })
  canInvite: boolean;

  @Column('bigint', { name: 'owner_id', transformer: BIGINT })
  ownerId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'events_owner' })
  owner?: Relation<User>;

  @Column('integer', { name: 'participant_base', default: 0 })
  participantBase: number;

  @Column('integer', { default: 0 })
  participants: number;

  @Column('integer', { name: 'wisher_base', default: 0 })
  wisherBase: number;

  @Column('integer', { default: 0 })
  wishers: number;
}
