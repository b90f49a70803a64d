import { type Shape } from './shape';

/** Owner, participants and wishers of an event (section 2.10). */
export const EVENT_USER = {
  avatar: 'string',
  alt: 'string',
  id: 'string',
  name: 'string',
  uid: 'string',
} as const satisfies Shape;

/** Event (section 2.10). */
export const EVENT = {
  id: 'string',
  title: 'string',
  content: 'string',
  alt: 'string',
  adapt_url: 'string',
  image: 'string',
  'image-hlarge': 'string',
  'image-lmobile': 'string',
  begin_time: 'string',
  end_time: 'string',
  address: 'string',
  geo: 'string',
  loc_id: 'string',
  loc_name: 'string',
  album: 'string',
  participant_count: 'integer',
  wisher_count: 'integer',
  is_priv: 'string',
  has_invited: 'string',
  can_invite: 'string',
  owner: EVENT_USER,
} as const satisfies Shape;

/** City (section 2.11). */
export const CITY = {
  id: 'string',
  name: 'string',
  uid: 'string',
  parent: 'string',
  habitable: 'string',
} as const satisfies Shape;
