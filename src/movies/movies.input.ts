import { Text } from '../api/input/input';

/** The city of the theaters (specification section 4.3, D37). */
export class CityInput {
  @Text({ about: "A city's name or id; the default city when absent." })
  city?: string;
}
