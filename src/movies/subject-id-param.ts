import { MergeableIdParam } from '../api/routing/route';

/** The id of a film or series in a path; that of a merged one means the surviving one (D149). */
export const SubjectIdParam = MergeableIdParam('movie');
