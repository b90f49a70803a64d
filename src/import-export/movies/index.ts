import { type RecordHandler } from '../engine/record-handler';
import { CelebrityHandler } from './celebrity.handler';
import { ChartHandler } from './chart.handler';
import { type ChartOptions } from './chart.record';
import { CreditHandler } from './credit.handler';
import { type MovieHandlers } from './movie-handlers';
import { MovieCommentHandler } from './movie-comment.handler';
import { MovieReviewHandler } from './movie-review.handler';
import { MovieHandler } from './movie.handler';
import { PhotoHandler } from './photo.handler';
import { ShowingHandler } from './showing.handler';

export { chartName, type ChartOptions } from './chart.record';
export { dayOf } from './showing.handler';

/** The record handlers of movies, celebrities, reviews, comments, charts and showings. */
export function movieHandlers(): RecordHandler[] {
  const family = {} as { -readonly [K in keyof MovieHandlers]: MovieHandlers[K] };
  family.movie = new MovieHandler(family);
  family.celebrity = new CelebrityHandler(family);
  family.credit = new CreditHandler(family);
  family.photo = new PhotoHandler(family);
  family.review = new MovieReviewHandler(family);
  family.comment = new MovieCommentHandler(family);
  const { movie, celebrity, credit, photo, review, comment } = family;
  const others = [new ShowingHandler(family), new ChartHandler(family)];
  return [movie, celebrity, credit, photo, review, comment, ...others] as RecordHandler[];
}

/** The chart handler with defaults for files that do not name their chart. */
export const chartsWith = (charts: RecordHandler, options: ChartOptions): RecordHandler =>
  charts instanceof ChartHandler ? charts.with(options) : charts;
