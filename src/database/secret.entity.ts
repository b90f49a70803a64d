import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that all processes share. */
@Entity('secrets')
export class Secret {
  @PrimaryColumn('text')
  name: string;

  @Column('text')
  value: string;
}
