import { type Kind } from '../kind';
import { CelebrityKind } from './celebrity.kind';
import { CreditKind } from './credit.kind';
import { type MovieFamily } from './family';
import { MovieCommentKind } from './movie-comment.kind';
import { MovieReviewKind } from './movie-review.kind';
import { MovieKind } from './movie.kind';
import { PhotoKind } from './photo.kind';

/** The kinds of films, their people and what is written about them. */
export function movieKinds(): Kind[] {
  const family = {} as { -readonly [K in keyof MovieFamily]: MovieFamily[K] };
  family.movie = new MovieKind(family);
  family.celebrity = new CelebrityKind(family);
  family.credit = new CreditKind(family);
  family.photo = new PhotoKind(family);
  family.review = new MovieReviewKind(family);
  family.comment = new MovieCommentKind(family);
  const { movie, celebrity, credit, photo, review, comment } = family;
  return [movie, celebrity, credit, photo, review, comment] as Kind[];
}
