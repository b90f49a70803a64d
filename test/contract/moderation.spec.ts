import { type Parameter, type Route } from '../../src/api/routing/route-table';
import { MODERATED_TEXTS } from './moderated-texts';
import { walkService } from './routes';

let writes: readonly Route[];
beforeAll(async () => {
  const { routes } = await walkService();
  writes = routes.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v2/'));
});

/** Text that a caller makes up: no choice of words, no time. */
const isFree = ({ in: place, schema }: Parameter): boolean =>
  place === 'body' && schema.type === 'string' && !('enum' in schema) && !('format' in schema);
const namesOf = (parameters: readonly Parameter[]): string[] =>
  parameters.map(({ name }) => name).sort();

describe('texts of writes (code 1004)', () => {
  it('each declare whether they are moderated', () => {
    const silent = writes.flatMap(({ handlerName, parameters }) =>
      parameters
        .filter((parameter) => isFree(parameter) && parameter.moderated === undefined)
        .map(({ name }) => `${handlerName} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('are those of the contract table', () => {
    const texts = writes
      .map(({ method, path, parameters }) => {
        const free = parameters.filter(isFree);
        return {
          route: `${method} ${path}`,
          moderated: namesOf(free.filter(({ moderated }) => moderated)),
          other: namesOf(free.filter(({ moderated }) => !moderated)),
        };
      })
      .filter(({ moderated, other }) => moderated.length + other.length > 0);
    const expected = MODERATED_TEXTS.map((row) => ({ other: [], ...row }));
    const byRoute = (one: { route: string }, two: { route: string }) =>
      one.route < two.route ? -1 : 1;
    expect(texts.sort(byRoute)).toEqual(expected.sort(byRoute));
  });
});
