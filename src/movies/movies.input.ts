import { Text } from '../api/input/input';

/** Whose theatres (specification section 4.3, D37). */
export class CityInput {
  @Text({ about: "A city's name or id; the default city when absent." })
  city?: string;
}
