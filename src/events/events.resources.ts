import {
  address,
  int,
  ref,
  resource,
  str,
  time,
  oneOf,
  type WireContext,
} from '../api/resources/resource';
import { SimpleUser } from '../users/users.resources';
import { type EventRow } from './events.rows';

/** The poster of events without one. */
const DEFAULT_POSTER = '/pictures/sample/default/event';

const { avatar, alt, id, name, uid } = SimpleUser.fields;

/** A user of an event: owner, participant, or interested user (section 2.10). */
export const EventUser = resource('EventUser', { avatar, alt, id, name, uid });

const YES_OR_NO = oneOf('yes', 'no');
const yesOrNo = (value: boolean): 'yes' | 'no' => (value ? 'yes' : 'no');

const pageOf = (event: EventRow, { webUrl }: WireContext): string => `${webUrl}/event/${event.id}/`;

/** Event (specification section 2.10); a missing poster size falls back to the medium one. */
export const Event = resource('Event', {
  id: { type: str(), about: 'Id of the event.' },
  title: { type: str(), about: 'Title.' },
  content: { type: str(), about: 'Description, as plain text.' },
  alt: { type: str(), from: pageOf, about: 'URL of the page of the event.' },
  adapt_url: {
    type: str(),
    from: pageOf,
    about: 'The page for every size of screen: the same as `alt`.',
  },
  image: {
    type: address(),
    from: (event: EventRow) => event.image || `${DEFAULT_POSTER}-m.jpg`,
    about: 'Medium poster.',
  },
  'image-hlarge': {
    type: address(),
    from: (event: EventRow) => event.image_hlarge || event.image || `${DEFAULT_POSTER}-h.jpg`,
    about: 'Large poster.',
  },
  'image-lmobile': {
    type: address(),
    from: (event: EventRow) => event.image_lmobile || event.image || `${DEFAULT_POSTER}-l.jpg`,
    about: 'Poster for mobile screens.',
  },
  begin_time: { type: time(), about: 'Begin.' },
  end_time: { type: time(), about: 'End.' },
  address: { type: str(), about: 'Postal address.' },
  geo: { type: str(), about: 'Latitude and longitude in decimal degrees, separated by a space.' },
  loc_id: { type: str(), about: 'Id of the city.' },
  loc_name: { type: str(), about: 'Name of the city.' },
  album: { type: str(), about: 'Id of the photo album; may be empty.' },
  participant_count: { type: int(), about: 'Number of participants.' },
  wisher_count: { type: int(), about: 'Number of interested users.' },
  is_priv: {
    type: YES_OR_NO,
    from: (event: EventRow) => yesOrNo(event.private),
    about: 'Whether only invited users can see the event.',
  },
  has_invited: {
    type: YES_OR_NO,
    from: (event: EventRow) => yesOrNo(event.invited),
    about: 'Whether the caller was invited.',
  },
  can_invite: {
    type: YES_OR_NO,
    from: (event: EventRow) => yesOrNo(event.can_invite),
    about: 'Whether participants may invite others.',
  },
  owner: { type: ref(EventUser), about: 'The user who organizes the event.' },
});
