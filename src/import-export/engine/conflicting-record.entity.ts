import { Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../../database/bigint-column';

/** Content of a user in an imported file whose id belongs to other content here. */
@Entity('conflicting_records')
export class ConflictingRecord {
  /** Kind of its record, such as `note`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'conflicting_records_pkey' })
  kind: string;

  @PrimaryColumn('bigint', {
    transformer: BIGINT,
    primaryKeyConstraintName: 'conflicting_records_pkey',
  })
  id: number;
}
