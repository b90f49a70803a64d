import { Injectable } from '@nestjs/common';
import { Database, statement, type Runner } from '../database/database';
import { BY_ID } from './annotations.repository';
import { type AnnotationRow } from './books.rows';

const ADD = statement(
  'annotations.add',
  `INSERT INTO annotations (user_id, book_id, content, page_no, chapter, private)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING id::float8 AS id`,
);

const LOCK = statement(
  'annotations.lock',
  'SELECT user_id::float8 AS user_id, private, photos FROM annotations WHERE id = $1 FOR UPDATE',
);

const CHANGE = statement(
  'annotations.change',
  `UPDATE annotations SET content = $2, page_no = $3, chapter = $4, private = $5,
     updated_at = date_trunc('second', now()) WHERE id = $1`,
);

const REMOVE = statement('annotations.remove', 'DELETE FROM annotations WHERE id = $1');

/** An annotation as it shall be. */
export interface NewAnnotation {
  readonly content: string;
  /** 0 when only a chapter is given (D24). */
  readonly pageNo: number;
  readonly chapter: string;
  readonly private: boolean;
}

/** Whose a stored annotation is, and what is in it. */
export interface StoredAnnotation {
  readonly user_id: number;
  readonly private: boolean;
  readonly photos: Readonly<Record<string, string>>;
}

/** Checks a stored annotation, or that there is none; throws when it must not be changed. */
export type OwnerCheck = (stored: StoredAnnotation | undefined) => void;

const valuesOf = ({ content, pageNo, chapter, private: hidden }: NewAnnotation): unknown[] => [
  content,
  pageNo,
  chapter,
  hidden,
];

@Injectable()
export class AnnotationWritesRepository {
  constructor(private readonly database: Database) {}

  add(userId: number, bookId: number, wanted: NewAnnotation): Promise<AnnotationRow> {
    return this.database.transaction(async (runner) => {
      const values = [userId, bookId, ...valuesOf(wanted)];
      const [made] = await runner.run<{ id: number }>(ADD, values);
      return this.read(runner, made?.id ?? 0, userId);
    });
  }

  change(
    id: number,
    userId: number,
    wanted: NewAnnotation,
    check: OwnerCheck,
  ): Promise<AnnotationRow> {
    return this.database.transaction(async (runner) => {
      check((await runner.run<StoredAnnotation>(LOCK, [id]))[0]);
      await runner.run(CHANGE, [id, ...valuesOf(wanted)]);
      return this.read(runner, id, userId);
    });
  }

  remove(id: number, check: OwnerCheck): Promise<void> {
    return this.database.transaction(async (runner) => {
      check((await runner.run<StoredAnnotation>(LOCK, [id]))[0]);
      await runner.run(REMOVE, [id]);
    });
  }

  private async read(runner: Runner, id: number, userId: number): Promise<AnnotationRow> {
    const [row] = await runner.run<AnnotationRow>(BY_ID, [id, userId]);
    return row as AnnotationRow;
  }
}
