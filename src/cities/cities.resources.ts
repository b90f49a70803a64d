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
  id: { type: str() },
  name: { type: str() },
  uid: { type: str() },
  parent: { type: str() },
  habitable: {
    type: oneOf('yes', 'no'),
    from: (city: CityRow) => (city.habitable ? 'yes' : 'no'),
  },
});
