import { type RecordHandler } from '../engine/record-handler';
import { CelebrityKind } from './celebrity.handler';
import { ChartKind } from './chart.handler';
import { type ChartOptions } from './chart.record';
import { CreditKind } from './credit.handler';
import { type MovieHandlers } from './movie-handlers';
import { MovieCommentKind } from './movie-comment.handler';
import { MovieReviewKind } from './movie-review.handler';
import { MovieKind } from './movie.handler';
import { PhotoKind } from './photo.handler';
import { ShowingKind } from './showing.handler';

export { chartName, type ChartOptions } from './chart.record';
export { dayOf } from './showing.handler';

/** The kinds of films, their people and what is written about them. */
export function movieKinds(): RecordHandler[] {
  const family = {} as { -readonly [K in keyof MovieHandlers]: MovieHandlers[K] };
  family.movie = new MovieKind(family);
  family.celebrity = new CelebrityKind(family);
  family.credit = new CreditKind(family);
  family.photo = new PhotoKind(family);
  family.review = new MovieReviewKind(family);
  family.comment = new MovieCommentKind(family);
  const { movie, celebrity, credit, photo, review, comment } = family;
  const others = [new ShowingKind(family), new ChartKind(family)];
  return [movie, celebrity, credit, photo, review, comment, ...others] as RecordHandler[];
}

/** Charts of files that do not say themselves which they are. */
export const chartsWith = (charts: RecordHandler, options: ChartOptions): RecordHandler =>
  charts instanceof ChartKind ? charts.with(options) : charts;
