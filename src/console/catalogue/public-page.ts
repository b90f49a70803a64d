import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { to } from '../../site/paths';
import { toText } from '../../text/to-text';

type Address = (record: WireRecord) => string | undefined;

const idOf = ({ id }: WireRecord): string => toText(id);

const ADDRESSES: Readonly<Record<string, Address>> = {
  books: (record) => to.book(idOf(record)),
  subjects: (record) => to.subject(idOf(record)),
  celebrities: (record) => to.celebrity(idOf(record)),
  photos: ({ subject_id: film, celebrity_id: person }) => {
    if (film !== undefined) return to.subject(toText(film));
    return person === undefined ? undefined : to.celebrity(toText(person));
  },
  events: (record) => to.event(idOf(record)),
  locs: ({ uid }) => to.events({ loc: toText(uid) }),
};

/** The public page of a record, or of the work or city that shows it. */
export const publicPageOf = (type: string, record: WireRecord): string | undefined =>
  ADDRESSES[type]?.(record);

/** The address of the picture of a record; undefined without one. */
export function pictureOf(record: WireRecord): string | undefined {
  const { images, avatars, thumb, image } = record;
  const sizes = (images ?? avatars ?? {}) as WireRecord;
  return [sizes.medium, sizes.large, thumb, image].find(
    (url): url is string => typeof url === 'string' && url !== '',
  );
}
