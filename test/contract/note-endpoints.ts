/** An endpoint of the note area, as the specification's section 4.2 lists it. */
export interface NoteEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Every wildcard is called `:id`, as in the specification. */
  readonly path: string;
  readonly status: number;
  /** Shape of the response; for a list, of each element; none is `{}` (D30). */
  readonly shape?: 'Note' | 'Reply';
  readonly member?: 'notes' | 'comments';
  /** Parameters beside `start` and `count` of lists, and layouts and captions of pictures. */
  readonly parameters?: readonly string[];
  /** Those of them that must be there. */
  readonly required?: readonly string[];
  readonly pictures?: boolean;
}

const NOTE = { parameters: ['title', 'content', 'privacy', 'can_reply', 'pids'], pictures: true };
const MUST = ['title', 'content'];

export const NOTE_ENDPOINTS: readonly NoteEndpoint[] = [
  { method: 'POST', path: '/v2/notes', status: 201, shape: 'Note', ...NOTE, required: MUST },
  { method: 'PUT', path: '/v2/note/:id', status: 202, shape: 'Note', ...NOTE, required: MUST },
  { method: 'DELETE', path: '/v2/note/:id', status: 200 },
  {
    method: 'POST',
    path: '/v2/note/:id',
    status: 202,
    shape: 'Note',
    parameters: ['pids', 'content'],
    required: ['pids'],
    pictures: true,
  },
  { method: 'GET', path: '/v2/note/:id', status: 200, shape: 'Note', parameters: ['format'] },
  {
    method: 'GET',
    path: '/v2/note/user_created/:id',
    status: 200,
    shape: 'Note',
    member: 'notes',
    parameters: ['format'],
  },
  { method: 'POST', path: '/v2/note/:id/like', status: 200 },
  { method: 'DELETE', path: '/v2/note/:id/like', status: 200 },
  { method: 'GET', path: '/v2/note/:id/comments', status: 200, shape: 'Reply', member: 'comments' },
  {
    method: 'POST',
    path: '/v2/note/:id/comments',
    status: 201,
    shape: 'Reply',
    parameters: ['content'],
    required: ['content'],
  },
  { method: 'GET', path: '/v2/note/:id/comment/:id', status: 200, shape: 'Reply' },
  { method: 'DELETE', path: '/v2/note/:id/comment/:id', status: 200 },
];

/** Maximum number of pictures in a request (section 8). */
export const PICTURES_AT_ONCE = 3;
