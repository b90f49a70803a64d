import { SIMPLE_USER } from './book-shapes';
import { type Shape } from './shape';

/** Note (specification section 2.6); `photos` is a map of addresses. */
export const NOTE = {
  id: 'string',
  title: 'string',
  alt: 'string',
  summary: 'string',
  content: 'string',
  privacy: 'string',
  can_reply: 'boolean',
  publish_time: 'string',
  update_time: 'string',
  photos: { '*': 'string' },
  comments_count: 'integer',
  liked_count: 'integer',
  recs_count: 'integer',
} as const satisfies Shape;

/** Reply to a note (D30). */
export const REPLY = {
  id: 'string',
  created: 'string',
  content: 'string',
  author: SIMPLE_USER,
} as const satisfies Shape;
