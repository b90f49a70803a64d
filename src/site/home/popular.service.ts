import { Injectable } from '@nestjs/common';
import { ANONYMOUS } from '../../api/access/access';
import { detached } from '../../api/http/current-request';
import { BookPagesRepository } from '../../books/book-pages.repository';
import { type BookRow } from '../../books/books.rows';
import { BooksService } from '../../books/books.service';

/** Milliseconds for which popular books and tags are kept: finding them reads all books. */
const KEPT_MS = 300_000;

/** Number of popular books and tags. */
const BOOKS = 12;
const TAGS = 24;

interface Popular {
  readonly ids: readonly number[];
  readonly tags: readonly string[];
  readonly until: number;
}

/** The most popular books and tags. Their ids are cached for five minutes; the books are read each time. */
@Injectable()
export class PopularService {
  private pending: Promise<Popular> | undefined;
  private current: Popular | undefined;

  constructor(
    private readonly reads: BookPagesRepository,
    private readonly books: BooksService,
  ) {}

  async listBooks(): Promise<readonly BookRow[]> {
    const { ids } = await this.get();
    if (ids.length === 0) return [];
    return (await this.books.list({ ids: ids.map(String) }, ANONYMOUS)).items;
  }

  async listTags(): Promise<readonly string[]> {
    return (await this.get()).tags;
  }

  private get(): Promise<Popular> {
    if (this.current && this.current.until > performance.now())
      return Promise.resolve(this.current);
    this.pending ??= detached(() => this.read()).finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async read(): Promise<Popular> {
    const [ids, tags] = await Promise.all([
      this.reads.listPopularIds(BOOKS),
      this.reads.listPopularTags(TAGS),
    ]);
    // An empty catalogue may be filled at any moment.
    const kept = ids.length === 0 ? 0 : KEPT_MS;
    this.current = { ids, tags, until: performance.now() + kept };
    return this.current;
  }
}
