import { OperationError } from '../../api/errors/error-codes';
import { type SqlExecutor } from '../../database/database';
import { hasPart } from '../../database/filtered-list';
import { type RecordEditHooks, type WireRecord } from '../engine/record-edit-hooks';
import { HardDeletion } from '../engine/row-deletion';
import { recordLists } from '../engine/record-lists';
import { type Envelope } from '../engine/record-handler';
import { PartialHandler, type PartialRecord } from '../engine/partial.handler';
import { isPresent, missing, RecordReader, toSortOrder, sortOrderJson } from '../engine/record';
import { type UserRecord } from '../users/user.handler';
import { detachFromAlbum, recomputeAlbumOrder } from './albums';
import { readAuthor, ensureUsersOf } from '../users/authors';
import { readPlaceholderCelebrity } from './celebrity.record';
import {
  parentOf,
  toPart,
  type NestedHandler,
  type MovieHandlers,
  type Owner,
} from './movie-handlers';
import { parsePlaceholderSubject } from './subject.record';
import { inputReference } from './subject-reference';
import { lockMovieRows } from './movie-locks';
import { ensurePlaceholderCelebrities, ensurePlaceholders } from './placeholders';

/** A photo in a file: specification section 2.9. */
export interface PhotoFields {
  readonly subject_id: number | null;
  readonly celebrity_id: number | null;
  readonly user_id: number | null;
  readonly icon: string;
  readonly image: string;
  readonly thumb: string;
  readonly cover: string;
  readonly description: string;
  /** Null for the default album of a subject or celebrity. */
  readonly album_id: number | null;
  readonly album_title: string;
  readonly comments_count: number;
  /** Positions in the file's album, which may contain photos that are not imported. */
  readonly position_base: number | null;
  readonly prev_base: string | null;
  readonly next_base: string | null;
  readonly photos_count_base: number | null;
  readonly sort_order: number;
  readonly created_at: string | null;
  /** The nested author. */
  readonly author?: UserRecord | undefined;
}

type PhotoRecord = PartialRecord<PhotoFields>;

const SIZES = ['icon', 'image', 'thumb', 'cover'] as const;
const ids = (all: readonly (number | null | undefined)[]): number[] => [
  ...new Set(all.filter((id) => typeof id === 'number')),
];

function readPhoto(reader: RecordReader, owner: Owner): PhotoRecord {
  const input: Record<string, unknown> = { ...owner, ...readAuthor(reader) };
  for (const size of SIZES) if (reader.has(size)) input[size] = reader.text(size);
  if (reader.has('desc')) input.description = reader.text('desc');
  if (reader.has('album_title')) input.album_title = reader.text('album_title');
  if (reader.has('album_id')) {
    const album = reader.id('album_id');
    input.album_id = album === (owner.subject_id ?? owner.celebrity_id) ? null : album;
  }
  for (const [member, column] of [
    ['position', 'position_base'],
    ['photos_count', 'photos_count_base'],
    ['comments_count', 'comments_count'],
  ] as const) {
    if (reader.has(member)) input[column] = reader.count(member);
  }
  if (reader.has('prev_photo')) input.prev_base = reader.text('prev_photo');
  if (reader.has('next_photo')) input.next_base = reader.text('next_photo');
  if (reader.has('sort_order')) input.sort_order = reader.sortOrder('sort_order');
  const created = reader.time('created_at');
  if (created !== undefined) input.created_at = created;
  return { id: reader.requiredId('id'), placeholder: reader.raw('placeholder') === true, input };
}

const idIn = (value: unknown): number[] => (Number(value) > 0 ? [Number(value)] : []);

/** Photo fields that depend on the album. */
const BY_ALBUM = ['album_id', 'album_title', 'sort_order', 'position', 'prev_photo', 'next_photo'];

/**
 * Fields to clear when a photo moves: it leaves its subject or celebrity and its album.
 * @throws OperationError for both a subject and a celebrity
 */
function fieldsOfMove(stored: WireRecord, input: WireRecord): readonly string[] {
  const [subject, celebrity] = [isPresent(input.subject_id), isPresent(input.celebrity_id)];
  if (subject && celebrity)
    throw new OperationError('a photo must have either a subject_id or a celebrity_id');
  if (!subject && !celebrity) return [];
  const [owner, other] = subject ? ['subject_id', 'celebrity_id'] : ['celebrity_id', 'subject_id'];
  // The input is not validated yet: the conversion of an object may throw.
  const wanted = input[owner];
  const stays = typeof wanted !== 'object' && Number(stored[owner]) === Number(wanted);
  return stays ? [] : [owner, other, 'photos_count', ...BY_ALBUM];
}

/** Imports and exports photos of subjects and celebrities. */
export class PhotoHandler extends PartialHandler<PhotoFields> implements NestedHandler {
  readonly name = 'photo';
  readonly member = 'photos';
  readonly needsEnvelope = true;
  protected override readonly mergedReference = inputReference<PhotoFields>();
  readonly editing: RecordEditHooks = {
    table: 'photos',
    lists: recordLists('photos', {
      title: 'description',
      states: { visible: 'true', deleted: 'false', placeholder: 'false' },
      search: {
        sql: (part = '') => `h.description <> '' AND ${hasPart('h.description', part)}`,
        few: true,
      },
      hardDeleted: true,
    }),
    // Photos have no placeholders, reviews or comments.
    deletion: new HardDeletion('photos'),
    nestedFields: ['author', 'alt'],
    references: { subject_id: 'subjects', celebrity_id: 'celebrities', author_id: 'users' },
    clearedFields: fieldsOfMove,
    async beforeWrite(executor, { id, stored, input }) {
      const moves = isPresent(stored.id) && fieldsOfMove(stored, input).length > 0;
      if (moves) await detachFromAlbum(executor, id);
    },
    afterDelete: (executor, { subject_id, celebrity_id }) =>
      recomputeAlbumOrder(executor, idIn(subject_id), idIn(celebrity_id)),
  };

  constructor(private readonly family: MovieHandlers) {
    super({
      table: 'photos',
      columns: {
        subject_id: 'bigint?',
        celebrity_id: 'bigint?',
        user_id: 'bigint?',
        icon: 'text',
        image: 'text',
        thumb: 'text',
        cover: 'text',
        description: 'text',
        album_id: 'bigint?',
        album_title: 'text',
        comments_count: 'integer',
        position_base: 'integer?',
        prev_base: 'text?',
        next_base: 'text?',
        photos_count_base: 'integer?',
        sort_order: 'sort_order',
        created_at: 'timestamptz?',
      },
      placeholders: true,
    });
  }

  parse(value: unknown, envelope?: Envelope): PhotoRecord {
    const reader = new RecordReader(value);
    const { movie, celebrity } = this.family;
    const person = parentOf(envelope, 'celebrity', (parent) =>
      readPlaceholderCelebrity(parent, 'celebrity'),
    );
    const subject = parentOf(envelope, 'subject', (parent) =>
      parsePlaceholderSubject(this.family, parent, 'subject'),
    );
    // In a celebrity's photo, `subject_id` is the celebrity's id; the URLs distinguish the two
    // cases.
    const ofPerson =
      reader.has('celebrity_id') ||
      (!subject && (person !== undefined || /\/celebrity\//.test(reader.text('alt'))));
    const parent = ofPerson ? person : subject;
    const id =
      (ofPerson ? reader.id('celebrity_id') : undefined) ?? reader.id('subject_id') ?? parent?.id;
    if (id === undefined) throw missing('subject_id');
    const owner = { subject_id: ofPerson ? null : id, celebrity_id: ofPerson ? id : null };
    return {
      ...readPhoto(reader, owner),
      dependencies: parent?.id === id ? toPart(ofPerson ? celebrity : movie, [parent]) : [],
    };
  }

  parseInside(value: unknown, owner: Owner, at: number): PhotoRecord {
    const photo = readPhoto(new RecordReader(value, 'photos'), owner);
    return { ...photo, input: { ...photo.input, sort_order: toSortOrder(at) }, placeholder: true };
  }

  lockRows(executor: SqlExecutor, records: readonly PhotoRecord[]): Promise<void> {
    return lockMovieRows(executor, this, records);
  }

  lane({ id, input }: PhotoRecord): string {
    return String(input.subject_id ?? input.celebrity_id ?? id);
  }

  protected wireFields(photo: PhotoFields): Record<string, unknown> {
    const { subject_id, celebrity_id, user_id, album_id } = photo;
    const id = (name: string, value: number | null): Record<string, string> =>
      value === null ? {} : { [name]: String(value) };
    return {
      ...id('subject_id', subject_id),
      ...id('celebrity_id', celebrity_id),
      icon: photo.icon,
      image: photo.image,
      thumb: photo.thumb,
      cover: photo.cover,
      created_at: photo.created_at ?? undefined,
      desc: photo.description,
      ...id('author_id', user_id),
      ...id('album_id', album_id),
      album_title: photo.album_title,
      prev_photo: photo.prev_base ?? undefined,
      next_photo: photo.next_base ?? undefined,
      position: photo.position_base ?? undefined,
      comments_count: photo.comments_count,
      photos_count: photo.photos_count_base ?? undefined,
      sort_order: sortOrderJson(photo.sort_order),
    };
  }

  override async write(executor: SqlExecutor, records: readonly PhotoRecord[]): Promise<void> {
    const all = records.map(({ fields }) => fields);
    const before = records.map(({ existing }) => existing);
    const subjects = ids(all.map((photo) => photo?.subject_id));
    const celebrities = ids(all.map((photo) => photo?.celebrity_id));
    await ensureUsersOf(executor, all);
    await ensurePlaceholders(executor, subjects);
    await ensurePlaceholderCelebrities(executor, celebrities);
    await super.write(executor, records);
    // A moved photo leaves a gap in the positions of its previous album.
    await recomputeAlbumOrder(
      executor,
      ids([...subjects, ...before.map((photo) => photo?.subject_id)]),
      ids([...celebrities, ...before.map((photo) => photo?.celebrity_id)]),
    );
  }
}
