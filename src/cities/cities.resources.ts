import { resource, str, oneOf } from '../api/resources/resource';

/** A row of a city. */
export interface CityRow {
  readonly id: string;
  readonly uid: string;
  readonly name: string;
  /** Uid of its province or country; empty for none. */
  readonly parent: string;
  readonly habitable: boolean;
}

/** City (specification section 2.11). */
export const City = resource('City', {
  id: { type: str(), about: 'Id of the city.' },
  name: { type: str(), about: 'Name of the city.' },
  uid: { type: str(), about: 'Unique name of the city, in ASCII letters.' },
  parent: { type: str(), about: 'Uid of its province or country; empty for none.' },
  habitable: {
    type: oneOf('yes', 'no'),
    from: (city: CityRow) => (city.habitable ? 'yes' : 'no'),
    about: 'Whether users can choose it as their city.',
  },
});
