import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A limit that overrides the settings. */
@Entity('limits')
export class Limit {
  @PrimaryColumn('text')
  name: string;

  @Column('integer')
  value: number;
}
