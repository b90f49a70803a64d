import { reportable } from '../moderation/reported-kinds';
import { celebrityShown, subjectShown } from './movies.sql';

/** Finds reportable photos and opinions about films. */
export const REPORTABLE_MOVIE_CONTENT = reportable({
  movie_review: `movie_reviews t JOIN subjects s ON s.id = t.subject_id
    WHERE NOT t.placeholder AND ${subjectShown()}`,
  movie_comment: `movie_comments t JOIN subjects s ON s.id = t.subject_id
    WHERE ${subjectShown()}`,
  photo: `photos t LEFT JOIN subjects s ON s.id = t.subject_id
    LEFT JOIN celebrities c ON c.id = t.celebrity_id
    WHERE (${subjectShown()} OR ${celebrityShown()})`,
});
