import { Text } from '../api/input/input';
import { IdListParam } from '../api/input/list-params';

/** The city of the theaters (specification section 4.3, D37). */
export class CityInput {
  @Text({ about: "A city's name or id; the default city when absent." })
  city?: string;
}

/** Subjects by id (D46). */
export class SubjectsInput {
  @IdListParam({ required: true, about: 'Ids of up to 100 films and series, separated by commas.' })
  ids!: readonly string[];
}
