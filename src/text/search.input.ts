import { Text } from '../api/input/input';

/** Query of a search; one of the two is needed (specification sections 4.1 and 4.3). */
export class SearchInput {
  @Text({ about: 'Words to search for; one of q and tag is needed.' })
  q?: string;

  @Text({ about: 'Tag to search for; one of q and tag is needed.' })
  tag?: string;
}
