import { arrayLiteral, tsvectorLiteral } from '../../../src/database/copy-in';
import {
  COMMON_PUBLISHER,
  COMMON_TAG,
  Maker,
} from '../../../src/import-export/synthetic/synthetic';
import { searchText } from '../../../src/text/terms';
import { FIRST, largeCollection, largeList, SERIES_BOOKS } from './catalogue';
import { EVENT_TABLES } from './event-rows';
import { count, moment, ownerOf, pick, table, two, type Row, type TableRows } from './table-rows';

const STATUSES = ['wish', 'reading', 'read'] as const;
const GENRES = ['剧情', '喜剧', '动作', '爱情', '科幻', '动画', '悬疑', '纪录片'] as const;
const TAGS = 300;
const PRIVACY = ['public', 'public', 'friend', 'private'] as const;
/** Visibility of likes by the privacy of their note. */
const VISIBILITY = { public: 0, friend: 1, private: 2 } as const;
/** The title of a book or film, which its search text repeats. */
const titleOf = (at: number, seed: number): string => new Maker(seed + at * 7).title();

const publisherOf = (at: number): string =>
  at % 10 === 3 ? COMMON_PUBLISHER : `${new Maker(at).hanzi(3)}社`;

/** Tags of a book: some of 300, and {@link COMMON_TAG} for every fifth book. */
function tagsOf(make: Maker, at: number): string[] {
  const names = Array.from({ length: 3 + make.below(3) }, () => `标签${make.below(TAGS)}`);
  if (at % 5 === 0) names.push(COMMON_TAG);
  return [...new Set(names)];
}

const isbn = (at: number): string => `9780${String(at).padStart(9, '0')}`;

/** Popularity of a book: few books are popular, and ranks are the same at each size. */
const ratersOf = (at: number): number => ((at * 2_654_435_761) >>> 0) % 100_000;

function* searchRows(many: number, seed: number, others: (at: number) => string[]): Generator<Row> {
  for (let at = 0; at < many; at += 1) {
    const { title, body, terms } = searchText(titleOf(at, seed), others(at), []);
    yield [FIRST + at, title, body, tsvectorLiteral(terms), ratersOf(at)];
  }
}

const BOOKS = 11;
const FILMS = 13;

const BOOK_TABLES: readonly TableRows[] = [
  table('users', 'id uid name', ({ users }) =>
    count(users, (at) => [FIRST + at, `scale${at}`, `Reader ${at}`]),
  ),
  table('series', 'id title', ({ books }) =>
    count(Math.ceil(books / SERIES_BOOKS), (at) => [FIRST + at, `Series ${at}`]),
  ),
  table(
    'books',
    'id isbn13 title author publisher pubdate published_on series_id author_intro summary catalog rating_base_count rating_base_average',
    function* ({ books }) {
      const make = new Maker(BOOKS);
      for (let at = 0; at < books; at += 1) {
        const year = 1980 + make.below(45);
        yield [
          ...[FIRST + at, isbn(at), titleOf(at, BOOKS), arrayLiteral([make.hanzi(3)])],
          ...[publisherOf(at), String(year), year * 10_000 + 101],
          ...[FIRST + Math.floor(at / SERIES_BOOKS), make.hanzi(40), make.hanzi(100)],
          ...[make.hanzi(50), ratersOf(at), (5 + make.below(50) / 10).toFixed(1)],
        ];
      }
    },
  ),
  table('book_search', 'book_id title body terms popularity', ({ books }) =>
    searchRows(books, BOOKS, (at) => [publisherOf(at)]),
  ),
  table('book_tags', 'book_id name folded position base_count', function* ({ books }) {
    const make = new Maker(BOOKS + 1);
    for (let at = 0; at < books; at += 1) {
      const names = tagsOf(make, at);
      for (const [position, name] of names.entries()) {
        yield [FIRST + at, name, name, position, 1 + make.below(500)];
      }
    }
  }),
  table(
    'collections',
    'user_id book_id status rating comment tags updated_at',
    function* (catalogue) {
      const { books, users, perUser } = catalogue;
      const make = new Maker(BOOKS + 2);
      for (let user = 0; user < users; user += 1) {
        const many = user === 0 ? largeCollection(catalogue) : perUser;
        const step = Math.max(1, Math.floor(books / many));
        for (let at = 0; at < many; at += 1) {
          yield [
            ...[FIRST + user, FIRST + ((at * step + user) % books), pick(make, STATUSES)],
            ...[1 + make.below(5), make.hanzi(10), `{标签${make.below(TAGS)}}`],
            moment(make, 2010, 16),
          ];
        }
      }
    },
  ),
  table('annotations', 'user_id book_id page_no content votes', (catalogue) => {
    const make = new Maker(BOOKS + 3);
    const { annotations, books, users } = catalogue;
    const large = largeList(catalogue);
    return count(annotations, (at) => [
      // The first user has a large list, too: of the first annotations that follow.
      FIRST + (at < large ? 1 + (at % (users - 1)) : ownerOf(at - large, large, users)),
      ...[FIRST + ownerOf(at, large, books), 1 + make.below(500)],
      ...[make.hanzi(100), make.below(1000)],
    ]);
  }),
  table('reviews', 'user_id book_id title content rating votes', (catalogue) => {
    const make = new Maker(BOOKS + 4);
    const { reviews, books, users } = catalogue;
    return count(reviews, (at) => [
      ...[FIRST + (at % users), FIRST + ownerOf(at, largeList(catalogue), books)],
      ...[make.hanzi(8), make.hanzi(100), 1 + make.below(5), make.below(1000)],
    ]);
  }),
  table('notes', 'id user_id title content privacy published_at', (catalogue) => {
    const make = new Maker(BOOKS + 5);
    const { notes, users } = catalogue;
    return count(notes, (at) => [
      ...[FIRST + at, FIRST + ownerOf(at, largeList(catalogue), users), make.hanzi(8)],
      ...[make.hanzi(100), PRIVACY[at % PRIVACY.length] as string],
      moment(make, 2010, 16),
    ]);
  }),
  table('note_likes', 'note_id user_id created_at note_visibility note_author_id', (catalogue) => {
    const make = new Maker(BOOKS + 6);
    const { notes, users } = catalogue;
    const large = largeList(catalogue);
    return count(notes, (at) => [
      ...[FIRST + at, FIRST + ownerOf(at, large, users), moment(make, 2010, 16)],
      ...[VISIBILITY[PRIVACY[at % PRIVACY.length] ?? 'public'], FIRST + ownerOf(at, large, users)],
    ]);
  }),
  table('note_replies', 'note_id user_id content created_at', (catalogue) => {
    const make = new Maker(BOOKS + 7);
    const { notes, users } = catalogue;
    return count(notes, (at) => [
      ...[FIRST + ownerOf(at, largeList(catalogue), notes), FIRST + (at % users)],
      ...[make.hanzi(20), moment(make, 2010, 16)],
    ]);
  }),
];

const FILM_TABLES: readonly TableRows[] = [
  table(
    'subjects',
    'id title original_title subtype rating_average ratings_count pubdates mainland_pubdate year genres countries summary',
    ({ films }) => {
      const make = new Maker(FILMS + 1);
      return count(films, (at) => {
        const date = `${1960 + make.below(65)}-${two(1 + make.below(12))}-${two(1 + make.below(28))}`;
        return [
          ...[
            FIRST + at,
            titleOf(at, FILMS),
            make.title(),
            'movie',
            (2 + make.below(79) / 10).toFixed(1),
          ],
          ...[ratersOf(at), arrayLiteral([date]), date, date.slice(0, 4)],
          ...[arrayLiteral([pick(make, GENRES)]), '{美国}', make.hanzi(100)],
        ];
      });
    },
  ),
  table('subject_search', 'subject_id title body terms popularity', ({ films }) =>
    searchRows(films, FILMS, () => []),
  ),
  table('subject_tags', 'subject_id name folded position', ({ films }) => {
    const make = new Maker(FILMS + 2);
    return count(films, (at) => {
      const name = `标签${make.below(TAGS)}`;
      return [FIRST + at, name, name, 0];
    });
  }),
  table('celebrities', 'id name name_en', ({ celebrities }) => {
    const make = new Maker(FILMS + 3);
    return count(celebrities, (at) => [FIRST + at, make.hanzi(3), make.word()]);
  }),
  table('credits', 'subject_id celebrity_id role position', ({ films, celebrities }) =>
    count(films * 3, (at) => [
      ...[FIRST + Math.floor(at / 3), FIRST + ((at * 7919) % celebrities)],
      ...[['director', 'actor', 'writer'][at % 3] as string, 0],
    ]),
  ),
  table('photos', 'subject_id user_id image thumb icon cover created_at', (catalogue) => {
    const make = new Maker(FILMS + 4);
    const { films, users } = catalogue;
    return count(films, (at) => [
      ...[FIRST + ownerOf(at, largeList(catalogue), films), FIRST + (at % users)],
      ...[`/p/${at}`, `/p/t/${at}`, `/p/i/${at}`, `/p/c/${at}`, moment(make, 2010, 16)],
    ]);
  }),
  table(
    'movie_reviews',
    'subject_id user_id title summary rating useful_count created_at',
    (all) => {
      const make = new Maker(FILMS + 5);
      return count(all.films, (at) => [
        ...[FIRST + ownerOf(at, largeList(all), all.films), FIRST + (at % all.users)],
        ...[make.hanzi(8), make.hanzi(90), 1 + make.below(5), make.below(5000)],
        moment(make, 2010, 16),
      ]);
    },
  ),
  table('movie_comments', 'subject_id user_id content rating useful_count created_at', (all) => {
    const make = new Maker(FILMS + 6);
    return count(all.films * 2, (at) => [
      ...[FIRST + ownerOf(at, largeList(all), all.films), FIRST + (at % all.users)],
      ...[make.hanzi(40), 1 + make.below(5), make.below(5000), moment(make, 2010, 16)],
    ]);
  }),
];

/** Rows of all tables, in the order of their references. */
export const TABLES: readonly TableRows[] = [...BOOK_TABLES, ...EVENT_TABLES, ...FILM_TABLES];
