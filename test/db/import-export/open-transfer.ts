import { openTestDatabase, type TestDatabase } from '../../harness';
import { Transfer } from './transfer';

/** A transfer for all tests of a file. Its database is emptied before each test. */
export function transferOfFile(): Transfer {
  const transfer = new Transfer();
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase();
    transfer.connect(opened.database);
  });
  afterAll(() => opened.close());
  beforeEach(() => transfer.clear());
  return transfer;
}

/** Opens transfers with databases of their own, which are closed after each test. */
export function transfersOfTest(): () => Promise<Transfer> {
  let opened: TestDatabase[] = [];
  afterEach(async () => {
    for (const database of opened) await database.close();
    opened = [];
  });
  return async () => {
    const database = await openTestDatabase();
    opened.push(database);
    return new Transfer(database.database);
  };
}
