import { Injectable } from '@nestjs/common';
import { ANONYMOUS } from '../../api/access/access';
import { Clock } from '../../api/clock';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { type BookRow } from '../../books/books.rows';
import { BooksService } from '../../books/books.service';
import { type CityKey } from '../../cities/cities.repository';
import { EventPagesRepository } from '../../events/event-pages.repository';
import { Refreshed } from '../refreshed';

/** Milliseconds for which popular books are kept: finding them reads all books. */
const BOOKS_MS = 300_000;

/**
 * Milliseconds for which popular tags are kept: finding them reads all tags. D160 allows a minute; a
 * tag disappears with the last collection that has it.
 */
const TAGS_MS = 60_000;

/** Number of popular books and tags. */
const BOOKS = 12;
const TAGS = 24;

/** Milliseconds for which the cities with events are kept: counting their events reads all cities. */
const CITIES_MS = 60_000;

/** Number of cities with events. */
const CITIES = 10;

/**
 * The most popular books and tags, and the cities with most events. Ids, tags and cities are cached
 * for some minutes; the books are read each time.
 */
@Injectable()
export class PopularService {
  private readonly bookIds = new Refreshed<readonly number[]>(
    BOOKS_MS,
    () => this.reads.listPopularIds(BOOKS),
    (ids) => ids.length > 0,
  );

  private readonly tags = new Refreshed<readonly string[]>(
    TAGS_MS,
    () => this.reads.listPopularTags(TAGS),
    (tags) => tags.length > 0,
  );

  private readonly cities = new Refreshed<readonly CityKey[]>(
    CITIES_MS,
    () => this.events.listCities(CITIES, this.clock.now()),
    (cities) => cities.length > 1,
  );

  constructor(
    private readonly reads: BookPagesRepository,
    private readonly books: BooksService,
    private readonly events: EventPagesRepository,
    private readonly clock: Clock,
  ) {}

  async listBooks(): Promise<readonly BookRow[]> {
    const ids = await this.bookIds.get();
    if (ids.length === 0) return [];
    return (await this.books.list({ ids: ids.map(String) }, ANONYMOUS)).items;
  }

  listTags(): Promise<readonly string[]> {
    return this.tags.get();
  }

  /** Cities with public events, those with most events first. */
  listCities(): Promise<readonly CityKey[]> {
    return this.cities.get();
  }
}
