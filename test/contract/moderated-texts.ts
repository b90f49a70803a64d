/** Texts that a write takes: those that others read are searched for banned words (code 1004). */
export interface WriteTexts {
  readonly route: string;
  readonly moderated: readonly string[];
  /** Texts that nobody else reads. */
  readonly other?: readonly string[];
}

/** Of every write with texts in its body. */
export const MODERATED_TEXTS: readonly WriteTexts[] = [
  { route: 'POST /v2/book/:id/collection', moderated: ['comment', 'tags'] },
  { route: 'PUT /v2/book/:id/collection', moderated: ['comment', 'tags'] },
  { route: 'POST /v2/book/:id/annotations', moderated: ['chapter', 'content'] },
  { route: 'PUT /v2/book/annotation/:id', moderated: ['chapter', 'content'] },
  { route: 'POST /v2/book/reviews', moderated: ['content', 'title'] },
  { route: 'PUT /v2/book/review/:id', moderated: ['content', 'title'] },
  { route: 'POST /v2/notes', moderated: ['content', 'desc_1', 'title'], other: ['pids'] },
  { route: 'PUT /v2/note/:id', moderated: ['content', 'desc_1', 'title'], other: ['pids'] },
  { route: 'POST /v2/note/:id', moderated: ['content', 'desc_1'], other: ['pids'] },
  { route: 'POST /v2/note/:id/comments', moderated: ['content'] },
  // Administrators alone read it.
  { route: 'POST /v2/report', moderated: [], other: ['reason'] },
];
