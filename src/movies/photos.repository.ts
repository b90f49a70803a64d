import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type Statement } from '../database/database';
import { listTotal } from '../database/list-counts';
import { paginated } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { userJson } from '../users/users.resources';
import { toPageOf, type RowOf } from './lists';
import { type PhotoRow } from './movies.rows';
import { CELEBRITY_OF_LIST, PHOTO_ORDER, SUBJECT_OF_LIST } from './movies.sql';

// A photo without an album belongs to the default album. An imported position in the album takes
// precedence, because the original album may contain photos that are not imported.
const COLUMNS = `one.parent, p.id, p.subject_id, p.celebrity_id, p.icon, p.image, p.thumb, p.cover,
  ${wireTime('p.created_at')} AS created_at, p.description,
  CASE WHEN u.id IS NULL THEN NULL ELSE ${userJson('u')} END AS author,
  coalesce(p.album_id, p.subject_id, p.celebrity_id) AS album_id,
  CASE WHEN p.album_id IS NULL THEN one.name ELSE p.album_title END AS album_title,
  coalesce(p.next_base, p.next_id::text) AS next_photo,
  coalesce(p.prev_base, p.prev_id::text) AS prev_photo,
  coalesce(p.position_base, p.position) AS position, p.comments_count,
  coalesce(p.photos_count_base, p.photos_count) AS photos_count`;

const photosOf = (owner: 'subject' | 'celebrity', of: string): Statement =>
  statement(
    `photos.of_${owner}`,
    paginated({
      of,
      hits: `SELECT n.* FROM photos n WHERE n.${owner}_id = $3`,
      inOrder: true,
      total: listTotal(owner === 'subject' ? 'moviePhotos' : 'celebrityPhotos', '$3'),
      key: 'id',
      order: PHOTO_ORDER,
      columns: COLUMNS,
      joins: 'LEFT JOIN users u ON u.id = p.user_id',
      limit: ['$1', '$2'],
    }),
  );
const STATEMENTS = {
  subject: photosOf('subject', SUBJECT_OF_LIST),
  celebrity: photosOf('celebrity', CELEBRITY_OF_LIST),
};

@Injectable()
export class PhotosRepository {
  constructor(private readonly database: Database) {}

  /** Photos of a subject or celebrity, with their parent; undefined when not found. */
  async of(
    owner: 'subject' | 'celebrity',
    id: number,
    page: PageQuery,
  ): Promise<Page<PhotoRow> | undefined> {
    const values = [page.count, page.start, id];
    const rows = await this.database.query<RowOf<PhotoRow>>(STATEMENTS[owner], values);
    return toPageOf(rows, page.start, owner);
  }
}
