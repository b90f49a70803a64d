import tearDownDatabase from '../global-teardown';

/** Takes down what the setup put up. */
export default async function tearDown(): Promise<void> {
  await globalThis.testService?.close();
  globalThis.testService = undefined;
  await tearDownDatabase();
}
