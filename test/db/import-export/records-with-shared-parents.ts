import { annotation, book, collection, review } from './records';
import { EVENTS, LOCS } from './events-records';
import { person, photo, reviewOf, simpleSubject } from './movies-records';
import { like, note, reply } from './notes-records';
import { type Wire } from './transfer';

/** Numbers of users, books, notes, cities, films, people and events; ids from 1. */
export const PARENTS = 30;

/** Parents in an order that differs from the order of the records. @param factor a prime number */
const parent = (id: number, factor: number): number => ((id * factor) % PARENTS) + 1;
const text = (round: number, id: number): string => `text ${round} ${id}`;
const user = (id: number): Wire => ({ id: String(id), uid: `u${id}`, name: `n${id}` });

/** By type, its record with an id in a round. All records refer to the same parents, and change in each round. */
export const RECORDS_WITH_SHARED_PARENTS: Readonly<
  Record<string, (id: number, round: number) => Wire>
> = {
  user: (id, round) => ({
    ...user(parent(id, 1)),
    uid: `u${id}-${round % 2}`,
    name: text(round, id),
  }),
  book: (id, round) =>
    book(parent(id, 1), {
      title: text(round, id),
      tags: [{ count: round + 1, name: `tag ${id % 7}` }],
      series: { id: String((parent(id, 7) % 5) + 1), title: text(round, id) },
    }),
  collection: (id, round) =>
    collection(id, parent(id, 7), parent(Math.ceil(id / PARENTS) + id, 11), {
      tags: [text(round, 1)],
    }),
  annotation: (id, round) =>
    annotation(id, parent(id, 11), parent(id, 7), { content: text(round, id) }),
  review: (id, round) => ({
    ...review(id, parent(id, 13), parent(id, 17), { content: text(round, id) }),
    author: user(parent(id, 13)),
  }),
  friend: (id, round) => ({
    user_id: parent(id, 7),
    friend_id: PARENTS + parent(id, 11),
    created: `2011-01-01 10:00:0${round}`,
  }),
  note: (id, round) => note(parent(id, 1), { author_id: parent(id, 7), title: text(round, id) }),
  'note-reply': (id, round) => reply(id, parent(id, 11), text(round, id), parent(id, 7)),
  'note-like': (id, round) => ({
    ...like(parent(id, 17), parent(Math.ceil(id / PARENTS) + id, 7)),
    created: `2011-01-01 10:00:0${round}`,
  }),
  loc: (id, round) => ({
    ...LOCS[0],
    id: String(parent(id, 1)),
    uid: `c${id}-${round % 2}`,
    name: text(round, id),
  }),
  movie: (id, round) => ({
    ...simpleSubject(parent(id, 1), text(round, id)),
    directors: [person(parent(id, 7), text(round, id))],
    casts: [person(parent(id, 11), text(round, id)), person(parent(id, 13), 'a')],
    photos: [photo(parent(id, 1))],
  }),
  celebrity: (id, round) => ({
    ...person(parent(id, 1), text(round, id)),
    works: [simpleSubject(parent(id, 7), 'x'), simpleSubject(parent(id, 11), 'y')],
  }),
  photo: (id, round) =>
    photo(PARENTS + id, {
      ...(id % 2 ? { subject_id: parent(id, 11) } : { celebrity_id: parent(id, 7) }),
      author: user(parent(id, 13)),
      desc: text(round, id),
    }),
  'movie-review': (id, round) => ({
    ...reviewOf(parent(id, 7), id, { title: text(round, id) }),
    author: user(parent(id, 11)),
  }),
  'movie-comment': (id, round) => ({
    id: String(id),
    subject_id: String(parent(id, 11)),
    author: user(parent(id, 7)),
    content: text(round, id),
    rating: { value: 0, max: 5, min: 0 },
    created_at: '2019-02-05 10:24:19',
  }),
  showing: (id, round) => ({
    subject_id: String(parent(id, 7)),
    city_id: String(parent(id, 11)),
    from: `2019-01-0${1 + Math.ceil(id / PARENTS)}`,
    until: `2020-01-1${round}`,
  }),
  chart: (id, round) => ({
    name: 'us_box',
    date: `2019-01-${10 + (id % 10)}`,
    entries: [
      { rank: 1, subject_id: String(parent(id, 7)), box: round },
      { rank: 2, subject_id: String(parent(id + 1, 7)), box: round },
    ],
  }),
  event: (id, round) => ({
    ...EVENTS[0],
    id: String(parent(id, 1)),
    title: text(round, id),
    loc_id: String(parent(id, 11)),
    owner_id: String(parent(id, 7)),
    is_priv: round % 2 ? 'yes' : 'no',
    invited: [parent(id, 11), parent(id, 13), parent(id, 17)],
  }),
  participation: (id, round) => ({
    id: 1000 + id,
    event_id: String(parent(id, 7)),
    user_id: String(parent(Math.ceil(id / PARENTS) + id, 11)),
    kind: 'participate',
    date: `2026-01-02 03:04:0${round}`,
    participate_date: '',
  }),
};
