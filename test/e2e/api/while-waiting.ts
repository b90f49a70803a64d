import { PicturesService } from '../../../src/images/pictures.service';
import { TextSearch } from '../../../src/moderation/text-search';
import { type Harness } from '../../harness';

// Hooks into requests that wait. `jest.restoreAllMocks` removes them.

/** Does something once, before a text is searched for banned words. */
export function beforeSearching(content: string, work: () => Promise<unknown>): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its search
  const { find } = TextSearch.prototype;
  let isDone = false;
  jest.spyOn(TextSearch.prototype, 'find').mockImplementation(async function (
    this: TextSearch,
    text,
    options,
  ) {
    if (text === content && !isDone) {
      isDone = true;
      await work();
    }
    return find.call(this, text, options);
  });
}

/** Does something before the next pictures are stored. */
export function beforeStoring(harness: Harness, work: () => Promise<unknown>): void {
  const pictures = harness.app.get(PicturesService, { strict: false });
  const store = pictures.store.bind(pictures);
  jest.spyOn(pictures, 'store').mockImplementationOnce(async (...values) => {
    await work();
    return store(...values);
  });
}
