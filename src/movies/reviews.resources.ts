import { int, ref, resource, str, time, type WireContext } from '../api/resources/resource';
import { SimpleUser } from '../users/users.resources';
import { GivenRating, wholeRow } from './movies.resources';

const reviewPage = (row: { id: string }, context: WireContext): string =>
  `${context.webUrl}/movie/review/${row.id}/`;

/** Simple review (specification section 2.9), its summary within 100 characters. */
export const SimpleReview = resource('SimpleMovieReview', {
  id: { type: str(), about: 'Id of the review.' },
  title: { type: str(), about: 'Title.' },
  alt: { type: str(), from: reviewPage, about: 'URL of the page of the review.' },
  subject_id: { type: str(), about: 'Id of the reviewed film or series.' },
  author: { type: ref(SimpleUser), about: 'The author.' },
  rating: { type: ref(GivenRating), from: wholeRow, about: 'Rating by the author.' },
  summary: { type: str(), about: 'Beginning of the review, at most 100 characters.' },
});

/** Review (specification section 2.9), its summary within 100 characters. */
export const MovieReview = resource('MovieReview', {
  id: { type: str(), about: 'Id of the review.' },
  title: { type: str(), about: 'Title.' },
  alt: { type: str(), from: reviewPage, about: 'URL of the page of the review.' },
  created_at: { type: time(), about: 'Time of publication.' },
  updated_at: { type: time(), about: 'Time of the last change.' },
  subject_id: { type: str(), about: 'Id of the reviewed film or series.' },
  author: { type: ref(SimpleUser), about: 'The author.' },
  summary: { type: str(), about: 'Beginning of the review, at most 100 characters.' },
  rating: { type: ref(GivenRating), from: wholeRow, about: 'Rating by the author.' },
  useful_count: { type: int(), about: 'Number of users who find the review useful.' },
  useless_count: { type: int(), about: 'Number of users who find the review useless.' },
  comments_count: { type: int(), about: 'Number of comments.' },
});

/** Short comment (specification section 2.9), within 140 characters. */
export const MovieComment = resource('MovieComment', {
  id: { type: str(), about: 'Id of the comment.' },
  created_at: { type: time(), about: 'Time of publication.' },
  subject_id: { type: str(), about: 'Id of the film or series.' },
  author: { type: ref(SimpleUser), about: 'The author.' },
  content: { type: str(), about: 'Plain text, at most 140 characters.' },
  rating: { type: ref(GivenRating), from: wholeRow, about: 'Rating by the author.' },
  useful_count: { type: int(), about: 'Number of users who find the comment useful.' },
});
