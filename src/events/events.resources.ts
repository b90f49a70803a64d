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
  id: { type: str() },
  title: { type: str() },
  content: { type: str() },
  alt: { type: str(), from: pageOf },
  adapt_url: {
    type: str(),
    from: pageOf,
    about: 'The page for every size of screen: the same as `alt`.',
  },
  image: { type: address(), from: (event: EventRow) => event.image || `${DEFAULT_POSTER}-m.jpg` },
  'image-hlarge': {
    type: address(),
    from: (event: EventRow) => event.image_hlarge || event.image || `${DEFAULT_POSTER}-h.jpg`,
  },
  'image-lmobile': {
    type: address(),
    from: (event: EventRow) => event.image_lmobile || event.image || `${DEFAULT_POSTER}-l.jpg`,
  },
  begin_time: { type: time() },
  end_time: { type: time() },
  address: { type: str() },
  geo: { type: str() },
  loc_id: { type: str() },
  loc_name: { type: str() },
  album: { type: str() },
  participant_count: { type: int() },
  wisher_count: { type: int() },
  is_priv: { type: YES_OR_NO, from: (event: EventRow) => yesOrNo(event.private) },
  has_invited: {
    type: YES_OR_NO,
    from: (event: EventRow) => yesOrNo(event.invited),
    about: 'Whether the caller was invited.',
  },
  can_invite: { type: YES_OR_NO, from: (event: EventRow) => yesOrNo(event.can_invite) },
  owner: { type: ref(EventUser) },
});
