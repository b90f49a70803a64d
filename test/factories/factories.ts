import { type Database, type SqlExecutor } from '../../src/database/database';
import { AnnotationHandler } from '../../src/import-export/books/annotation.handler';
import { BookHandler } from '../../src/import-export/books/book.handler';
import { CollectionHandler } from '../../src/import-export/books/collection.handler';
import { EventHandler } from '../../src/import-export/events/event.handler';
import { type RecordHandler } from '../../src/import-export/engine/record-handler';
import { LocHandler } from '../../src/import-export/events/loc.handler';
import { ParticipationHandler } from '../../src/import-export/events/participation.handler';
import { FriendHandler } from '../../src/import-export/users/friend.handler';
import { NoteHandler } from '../../src/import-export/notes/note.handler';
import { NoteReplyHandler } from '../../src/import-export/notes/note-reply.handler';
import { ReviewHandler } from '../../src/import-export/books/review.handler';
import { UserHandler } from '../../src/import-export/users/user.handler';

type Wire = Record<string, unknown>;

const books = new BookHandler();
const KINDS = {
  user: new UserHandler(),
  book: books,
  collection: new CollectionHandler(books),
  annotation: new AnnotationHandler(books),
  review: new ReviewHandler(books),
  loc: new LocHandler(),
  event: new EventHandler(),
  participation: new ParticipationHandler(),
  friend: new FriendHandler(),
  note: new NoteHandler(),
  'note-reply': new NoteReplyHandler(),
};

/**
 * Creates records for tests in the shapes of imports. Missing dependencies are created: a
 * collection without a book creates a book and a user. Ids start high and are never reused.
 */
export class Factories {
  private next = 5_000_000;

  constructor(private readonly database: Database) {}

  private id(): number {
    this.next += 1;
    return this.next;
  }

  private async store(kind: keyof typeof KINDS, ...wires: Wire[]): Promise<void> {
    const storing = KINDS[kind] as unknown as RecordHandler;
    const records = wires.map((wire) => storing.parse(wire));
    await this.database.transaction((executor: SqlExecutor) => storing.write(executor, records));
  }

  /** A user; returns the id and uid. */
  async aUser(wire: Wire = {}): Promise<{ id: number; uid: string }> {
    const id = Number(wire.id ?? this.id());
    const uid = (wire.uid as string | undefined) ?? `reader${id}`;
    await this.store('user', { name: `Reader ${id}`, ...wire, id, uid });
    return { id, uid };
  }

  /** A book; returns its id. */
  async aBook(wire: Wire = {}): Promise<number> {
    const id = Number(wire.id ?? this.id());
    await this.store('book', { title: `Book ${id}`, ...wire, id });
    return id;
  }

  /** A collection (read, unless said otherwise), with its user and book; returns their ids. */
  async aCollection(wire: Wire = {}): Promise<{ id: number; user_id: number; book_id: number }> {
    const id = Number(wire.id ?? this.id());
    const user_id = Number(wire.user_id ?? (await this.aUser()).id);
    const book_id = Number(wire.book_id ?? (await this.aBook()));
    const rating =
      typeof wire.rating === 'number' ? { rating: { value: String(wire.rating) } } : {};
    await this.store('collection', { status: 'read', ...wire, ...rating, id, user_id, book_id });
    return { id, user_id, book_id };
  }

  /** An annotation (public, page 1), with its user and book; returns their ids. */
  async anAnnotation(wire: Wire = {}): Promise<{ id: number; author_id: number; book_id: number }> {
    const id = Number(wire.id ?? this.id());
    const author_id = Number(wire.author_id ?? (await this.aUser()).id);
    const book_id = Number(wire.book_id ?? (await this.aBook()));
    const text = { content: 'An annotation that says enough.', page_no: 1, privacy: 2 };
    await this.store('annotation', { ...text, ...wire, id, author_id, book_id });
    return { id, author_id, book_id };
  }

  /** A note (public, of a user of its own); returns their ids. */
  async aNote(wire: Wire = {}): Promise<{ id: number; author_id: number }> {
    const id = Number(wire.id ?? this.id());
    const author_id = Number(wire.author_id ?? (await this.aUser()).id);
    await this.store('note', { title: `Note ${id}`, content: 'A note.', ...wire, id, author_id });
    return { id, author_id };
  }

  /** A reply to a note, of a user of its own; returns its id. */
  async aReply(note_id: number, wire: Wire = {}): Promise<number> {
    const id = Number(wire.id ?? this.id());
    const author_id = Number(wire.author_id ?? (await this.aUser()).id);
    await this.store('note-reply', { content: 'A reply.', ...wire, id, note_id, author_id });
    return id;
  }

  /** Makes two users friends. */
  async friends(user_id: number, friend_id: number): Promise<void> {
    await this.store('friend', { user_id, friend_id });
  }

  /** Several books at once; returns their ids in order. */
  async books(count: number, wire: (at: number) => Wire = () => ({})): Promise<number[]> {
    const wires = Array.from({ length: count }, (_, at): Wire => {
      const id = this.id();
      return { title: `Book ${id}`, id, ...wire(at) };
    });
    await this.store('book', ...wires);
    return wires.map(({ id }) => Number(id));
  }

  /** A user's collections of several books at once; returns their ids in order. */
  async collections(
    user_id: number,
    books: readonly number[],
    wire: (at: number) => Wire = () => ({}),
  ): Promise<number[]> {
    const wires = books.map((book_id, at): Wire => {
      return { id: this.id(), status: 'read', ...wire(at), user_id, book_id };
    });
    await this.store('collection', ...wires);
    return wires.map(({ id }) => Number(id));
  }

  /** Several annotations of a book by a user at once; returns their ids in order. */
  async annotations(
    author_id: number,
    book_id: number,
    count: number,
    wire: (at: number) => Wire = () => ({}),
  ): Promise<number[]> {
    const text = { content: 'An annotation that says enough.', page_no: 1, privacy: 2 };
    const wires = Array.from({ length: count }, (_, at): Wire => {
      return { ...text, id: this.id(), ...wire(at), author_id, book_id };
    });
    await this.store('annotation', ...wires);
    return wires.map(({ id }) => Number(id));
  }

  /** A city in China, unless its `time_zone` says otherwise; returns the id and uid. */
  async aCity(wire: Wire = {}): Promise<{ id: number; uid: string }> {
    const id = Number(wire.id ?? this.id());
    const uid = (wire.uid as string | undefined) ?? `city${id}`;
    await this.store('loc', { name: `City ${id}`, time_zone: 'Asia/Shanghai', ...wire, id, uid });
    return { id, uid };
  }

  /** An event that is not over for many years, with its owner and city; returns their ids. */
  async anEvent(wire: Wire = {}): Promise<{ id: number; owner_id: number; loc_id: number }> {
    const id = Number(wire.id ?? this.id());
    const owner_id = Number(wire.owner_id ?? (await this.aUser()).id);
    const loc_id = Number(wire.loc_id ?? (await this.aCity()).id);
    await this.store('event', { ...eventOf(id), ...wire, id, owner_id, loc_id });
    return { id, owner_id, loc_id };
  }

  /** Several events of an owner in a city at once; returns their ids in order. */
  async events(
    owner_id: number,
    loc_id: number,
    count: number,
    wire: (at: number) => Wire = () => ({}),
  ): Promise<number[]> {
    const wires = Array.from({ length: count }, (_, at): Wire => {
      const id = this.id();
      return { ...eventOf(id), id, ...wire(at), owner_id, loc_id };
    });
    await this.store('event', ...wires);
    return wires.map(({ id }) => Number(id));
  }

  /** Participations (in an event, unless said otherwise), as they are given. */
  async participations(...wires: Wire[]): Promise<void> {
    await this.store('participation', ...wires.map((wire) => ({ kind: 'participate', ...wire })));
  }
}

const eventOf = (id: number): Wire => ({
  title: `Event ${id}`,
  begin_time: '2018-07-29 15:00:00',
  end_time: '2098-08-26 18:00:00',
});
