import { Column } from 'typeorm';

/** Columns of rows that administrators edit and soft-delete. */
export abstract class EditedRow {
  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => "date_trunc('second', now())" })
  updatedAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
