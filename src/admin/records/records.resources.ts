import { resource, str, time, oneOf } from '../../api/resources/resource';
import { RECORD_STATES } from '../../import-export/engine/record-lists';

/** A record in lists. */
export const AdminRecord = resource('AdminRecord', {
  id: { type: str() },
  title: { type: str() },
  state: { type: oneOf(...RECORD_STATES) },
  deleted: { type: time(), about: 'When it was deleted.' },
});

/** A complete record with the members of its export. */
export const WHOLE_RECORD = {
  type: 'object',
  description:
    'In the shape of imports and exports; `deleted` is the deletion time of a soft-deleted record.',
  additionalProperties: true,
};
