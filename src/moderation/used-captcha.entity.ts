import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A challenge that was solved and cannot be used again. */
@Entity('used_captchas')
export class UsedCaptcha {
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
