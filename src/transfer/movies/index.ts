import { type Kind } from '../kind';
import { CelebrityKind } from './celebrity.kind';
import { ChartKind } from './chart.kind';
import { type ChartOptions } from './chart.record';
import { CreditKind } from './credit.kind';
import { type MovieFamily } from './family';
import { MovieCommentKind } from './movie-comment.kind';
import { MovieReviewKind } from './movie-review.kind';
import { MovieKind } from './movie.kind';
import { PhotoKind } from './photo.kind';
import { ShowingKind } from './showing.kind';

export { chartName, type ChartOptions } from './chart.record';
export { dayOf } from './showing.kind';

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
  const others = [new ShowingKind(family), new ChartKind(family)];
  return [movie, celebrity, credit, photo, review, comment, ...others] as Kind[];
}

/** Charts of files that do not say themselves which they are. */
export const chartsWith = (charts: Kind, options: ChartOptions): Kind =>
  charts instanceof ChartKind ? charts.with(options) : charts;
