/** Member sets of the event area's wire shapes, as the specification's section 2 has them. */

/** Section 2.10. */
export const EVENT = [
  'id',
  'title',
  'content',
  'alt',
  'adapt_url',
  'image',
  'image-hlarge',
  'image-lmobile',
  'begin_time',
  'end_time',
  'address',
  'geo',
  'loc_id',
  'loc_name',
  'album',
  'participant_count',
  'wisher_count',
  'is_priv',
  'has_invited',
  'can_invite',
  'owner',
].sort();

/** Section 2.10: owners, participants and wishers. */
export const EVENT_USER = ['alt', 'avatar', 'id', 'name', 'uid'];

/** Section 2.11. */
export const CITY = ['habitable', 'id', 'name', 'parent', 'uid'];
