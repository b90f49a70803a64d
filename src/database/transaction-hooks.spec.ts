import { nestHooks } from './transaction-hooks';
import { type SqlExecutor } from './statement';

const executor: SqlExecutor = { query: () => Promise.resolve([]) };

it('runs the outer hooks first after BEGIN and last before COMMIT', async () => {
  const steps: string[] = [];
  const step = (name: string) => () => {
    steps.push(name);
    return Promise.resolve();
  };
  const hook = (name: string) => ({ begin: step(`begin ${name}`), end: step(`end ${name}`) });
  const nested = nestHooks(hook('outer'), hook('inner'));
  await nested.begin?.(executor);
  await nested.end?.(executor);
  expect(steps).toEqual(['begin outer', 'begin inner', 'end inner', 'end outer']);
});

it('omits steps that neither hook has', () => {
  const end = () => Promise.resolve();
  expect(nestHooks(undefined, { end })).toEqual({ begin: undefined, end });
  expect(nestHooks({ end }, {})).toEqual({ begin: undefined, end });
});
