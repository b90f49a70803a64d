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
  id: { type: str(), about: 'Id of the photo.' },
  alt: { type: str(), from: photoPage, about: 'URL of the page of the photo.' },
  icon: { type: address(), about: 'Smallest size.' },
  image: { type: address(), about: 'Full size.' },
  thumb: { type: address(), about: 'Thumbnail.' },
  cover: { type: address(), about: 'Cover size.' },
});

const albumPage = (row: PhotoRow, context: WireContext): string =>
  row.celebrity_id === null
    ? `${subjectPage(String(row.subject_id), context)}photos/`
    : `${celebrityPage(row.celebrity_id, context)}photos/`;

/** Photo (specification section 2.9); `subject_id` is the celebrity's id for a celebrity's photo. */
export const Photo = resource('Photo', {
  id: { type: str(), about: 'Id of the photo.' },
  subject_id: {
    type: str(),
    from: (row: PhotoRow) => row.subject_id ?? row.celebrity_id,
    about: 'Id of the film, series or celebrity that the photo shows.',
  },
  alt: { type: str(), from: photoPage, about: 'URL of the page of the photo.' },
  icon: { type: address(), about: 'Smallest size.' },
  image: { type: address(), about: 'Full size.' },
  thumb: { type: address(), about: 'Thumbnail.' },
  cover: { type: address(), about: 'Cover size.' },
  created_at: { type: time(), about: 'Time of the upload.' },
  desc: {
    type: str(),
    from: (row: PhotoRow) => row.description,
    about: 'Description; may be empty.',
  },
  author: {
    type: ref(SimpleUser),
    from: (row: PhotoRow) => row.author ?? NOBODY,
    about: 'With empty members when nobody knows who.',
  },
  album_id: { type: str(), about: 'Id of the album.' },
  album_title: { type: str(), about: 'Title of the album.' },
  album_url: { type: str(), from: albumPage, about: 'URL of the page of the album.' },
  next_photo: { type: str(), about: 'Id of the next photo in the album; empty for the last one.' },
  prev_photo: {
    type: str(),
    about: 'Id of the previous photo in the album; empty for the first one.',
  },
  position: { type: int(), about: 'Position in the album by time, starting at 1; 0 when unknown.' },
  comments_count: { type: int(), about: 'Number of comments.' },
  photos_count: { type: int(), about: 'Number of photos in the album.' },
});
