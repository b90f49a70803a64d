import { int, resource, str, oneOf } from '../api/resources/resource';

/** An effective limit and its source (D16). */
export const AdminLimit = resource('AdminLimit', {
  name: { type: str(), about: 'Name of the limit, as the setting.' },
  value: { type: int(), about: 'Number of requests; 0 means unlimited.' },
  from: {
    type: oneOf('database', 'settings'),
    about: '`database`: set by an administrator, `settings`: default or environment.',
  },
});
