import {
  address,
  int,
  ref,
  resource,
  str,
  time,
  type WireContext,
} from '../api/resources/resource';
import { NOBODY, SimpleUser } from '../users/users.resources';
import { celebrityPage, subjectPage } from './movies.resources';
import { type PhotoRow, type SimplePhotoRow } from './movies.rows';

const photoPage = (row: SimplePhotoRow, context: WireContext): string =>
  row.celebrity_id === null
    ? `${context.webUrl}/movie/photo/${row.id}/`
    : `${celebrityPage(row.celebrity_id, context)}photo/${row.id}/`;

/** Simple photo (specification section 2.9). */
export const SimplePhoto = resource('SimplePhoto', {
  id: { type: str() },
  alt: { type: str(), from: photoPage },
  icon: { type: address() },
  image: { type: address() },
  thumb: { type: address() },
  cover: { type: address() },
});

const albumPage = (row: PhotoRow, context: WireContext): string =>
  row.celebrity_id === null
    ? `${subjectPage(String(row.subject_id), context)}photos/`
    : `${celebrityPage(row.celebrity_id, context)}photos/`;

/** Photo (specification section 2.9); `subject_id` is the celebrity's id for a celebrity's photo. */
export const Photo = resource('Photo', {
  id: { type: str() },
  subject_id: { type: str(), from: (row: PhotoRow) => row.subject_id ?? row.celebrity_id },
  alt: { type: str(), from: photoPage },
  icon: { type: address() },
  image: { type: address() },
  thumb: { type: address() },
  cover: { type: address() },
  created_at: { type: time() },
  desc: { type: str(), from: (row: PhotoRow) => row.description },
  author: {
    type: ref(SimpleUser),
    from: (row: PhotoRow) => row.author ?? NOBODY,
    about: 'With empty members when nobody knows who.',
  },
  album_id: { type: str() },
  album_title: { type: str() },
  album_url: { type: str(), from: albumPage },
  next_photo: { type: str() },
  prev_photo: { type: str() },
  position: { type: int() },
  comments_count: { type: int() },
  photos_count: { type: int() },
});
