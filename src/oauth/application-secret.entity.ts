import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Application } from './application.entity';

/** A secret of an application, of which only the SHA-256 is stored. */
@Entity('application_secrets')
export class ApplicationSecret {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'application_id',
    foreignKeyConstraintName: 'application_secrets_application',
  })
  application?: Relation<Application>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Set when a newer secret replaces it. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;
}
