import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** A book or film that was merged into another one of its kind (D149). */
@Entity('merged_records')
export class MergedRecord {
  /** `book` or `movie`. */
  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn('bigint', { transformer: BIGINT })
  id: number;

  @Column('bigint', { name: 'survivor_id', transformer: BIGINT })
  survivorId: number;

  @Column('timestamptz', { name: 'merged_at', default: () => "date_trunc('second', now())" })
  mergedAt: Date;
}
