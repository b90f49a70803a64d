import { resource, str, time, oneOf } from '../../api/resources/resource';
import { RECORD_STATES } from '../../import-export/engine/record-lists';

/** A record in lists. */
export const AdminRecord = resource('AdminRecord', {
  id: { type: str(), about: 'Id of the record.' },
  title: { type: str(), about: 'Title or name.' },
  state: {
    type: oneOf(...RECORD_STATES),
    about: '`placeholder`: only records that refer to it are known.',
  },
  deleted: { type: time(), about: 'When it was deleted.' },
});

/** A complete record with the members of its export. */
export const WHOLE_RECORD = {
  type: 'object',
  description:
    'In the shape of imports and exports; `deleted` is the deletion time of a soft-deleted record.',
  additionalProperties: true,
};
