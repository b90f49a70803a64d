import { resource, str, time, oneOf } from '../../api/resources/resource';
import { RECORD_STATES } from './record-types';

/** A thing in lists of administrators. */
export const AdminRecord = resource('AdminRecord', {
  id: { type: str() },
  title: { type: str() },
  state: { type: oneOf(...RECORD_STATES) },
  removed: { type: time(), about: 'When it was removed.' },
});

/** A thing in full: the members of its exports. */
export const WHOLE_RECORD = {
  type: 'object',
  description:
    'In the shape that imports and exports have; `removed` says when what is removed was removed.',
  additionalProperties: true,
};
