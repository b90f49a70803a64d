/** Code points that the content of an annotation, a review or a note has at most (D41). */
export const MAX_CONTENT = 50_000;

/** Code points that a reply has at most (D41). */
export const MAX_REPLY = 5_000;

/** Code points that the title of a note or a review, or the caption of a picture, has at most (D41). */
export const MAX_LINE = 1_000;

/** Code points that the tags of a collection have at most as one text, before they are told apart (D41). */
export const MAX_TAGS = 5_000;
