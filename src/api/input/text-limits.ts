/** Maximum length of an annotation, a review or a note, in code points (D41). */
export const MAX_CONTENT = 50_000;

/** Maximum length of a reply, in code points (D41). */
export const MAX_REPLY = 5_000;

/** Maximum length of a title of a note or review, or a picture caption, in code points (D41). */
export const MAX_LINE = 1_000;

/** Maximum length of the tags of a collection before splitting, in code points (D41). */
export const MAX_TAGS = 5_000;

/** Maximum number of tags of a collection (D23). */
export const MAX_COLLECTION_TAGS = 20;
