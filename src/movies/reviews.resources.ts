import { int, ref, resource, str, time, type WireContext } from '../api/resources/resource';
import { SimpleUser } from '../users/users.resources';
import { GivenRating, integer } from './movies.resources';

const reviewPage = (row: { id: string }, context: WireContext): string =>
  `${context.webUrl}/movie/review/${row.id}/`;

/** Simple review (specification section 2.9), its summary within 100 characters. */
export const SimpleReview = resource('SimpleMovieReview', {
  id: { type: str() },
  title: { type: str() },
  alt: { type: str(), from: reviewPage },
  subject_id: { type: str() },
  author: { type: ref(SimpleUser) },
  rating: { type: ref(GivenRating), from: integer },
  summary: { type: str() },
});

/** Review (specification section 2.9), its summary within 100 characters. */
export const MovieReview = resource('MovieReview', {
  id: { type: str() },
  title: { type: str() },
  alt: { type: str(), from: reviewPage },
  created_at: { type: time() },
  updated_at: { type: time() },
  subject_id: { type: str() },
  author: { type: ref(SimpleUser) },
  summary: { type: str() },
  rating: { type: ref(GivenRating), from: integer },
  useful_count: { type: int() },
  useless_count: { type: int() },
  comments_count: { type: int() },
});

/** Short comment (specification section 2.9), within 140 characters. */
export const MovieComment = resource('MovieComment', {
  id: { type: str() },
  created_at: { type: time() },
  subject_id: { type: str() },
  author: { type: ref(SimpleUser) },
  content: { type: str() },
  rating: { type: ref(GivenRating), from: integer },
  useful_count: { type: int() },
});
