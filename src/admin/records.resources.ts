import { resource, str, time, word } from '../api/resource';
import { RECORD_STATES } from './records.kinds';

/** A thing in lists of administrators. */
export const AdminRecord = resource('AdminRecord', {
  id: { type: str() },
  title: { type: str() },
  state: { type: word(...RECORD_STATES) },
  removed: { type: time(), about: 'When it was removed.' },
});

/** A thing in full: the members of its exports. */
export const WHOLE_RECORD = {
  type: 'object',
  description:
    'In the shape that imports and exports have; `removed` says when what is removed was removed.',
  additionalProperties: true,
};
