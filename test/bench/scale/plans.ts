import { type AddressInfo } from 'node:net';
import { LIMIT_NAMES } from '../../../src/config/limit-settings';
import { flushLogger, makeLogger } from '../../../src/config/logger';
import { readSettings } from '../../../src/config/settings';
import { Database, type Statement } from '../../../src/database/database';
import { makeDataSource } from '../../../src/database/data-source';
import { SCOPES } from '../../../src/api/access/access';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { ENTITIES } from '../../../src/server/entities';
import { makeApp } from '../../../src/server/setup';
import { StoredSearches } from '../../../src/text/stored-searches';
import { type ScaleCase } from './cases';

/** The cost of the statements of a request. */
export interface PlanCost {
  readonly name: string;
  /** Pages of PostgreSQL that the statements read, from memory or disk. */
  readonly buffers: number;
  /** Execution time in milliseconds, without planning; the least of the rounds. */
  readonly ms: number;
  /** Scans of the plans, each once. */
  readonly scans: readonly string[];
  /** Elements of the page; 1 without a list. */
  readonly elements: number;
  /** Elements that the request skips. */
  readonly skipped?: number;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode; readonly 'Execution Time': number }];
}

const ROUNDS = 3;

function scansOf(node: PlanNode, found: Set<string>): void {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node;
  if (index) found.add(`${type} ${index}`);
  else if (table) found.add(`${type} ${table}`);
  for (const child of node.Plans ?? []) scansOf(child, found);
}

/** Sends a request of each case, and explains the statements that it ran. */
export async function explainCases(
  url: string,
  cases: readonly ScaleCase[],
  user: number,
): Promise<PlanCost[]> {
  const limits = Object.fromEntries(LIMIT_NAMES.map((name) => [name, '0']));
  const env = { NODE_ENV: 'test', CACHE_MB: '0', LOG_LEVEL: 'silent', ROLE: 'api', ...limits };
  const settings = readSettings({ ...env, DATABASE_URL: url, DATABASE_STATEMENT_TIMEOUT_MS: '0' });
  const source = makeDataSource(settings, url, ENTITIES);
  await source.initialize();
  const logger = makeLogger(settings);
  const app = await makeApp(settings, source, logger);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const database = app.get(Database, { strict: false });
  const token = await tokenFor(app.get(ApplicationsService, { strict: false }), user);
  const stored = app.get(StoredSearches, { strict: false });
  const costs: PlanCost[] = [];
  for (const { name, paths, ...rest } of cases) {
    const all: PlanCost[] = [];
    for (const path of paths) {
      const url = `http://127.0.0.1:${port}${path}`;
      const { ran, elements } = await statementsOf(database, url, token, stored);
      all.push({ ...(await explain(database, name, ran)), elements });
    }
    const mean = (value: (cost: PlanCost) => number): number =>
      all.reduce((sum, cost) => sum + value(cost), 0) / all.length;
    const scans = [...new Set(all.flatMap((cost) => cost.scans))];
    const [buffers, ms] = [mean((cost) => cost.buffers), mean((cost) => cost.ms)];
    const elements = mean((cost) => cost.elements);
    costs.push({ name, buffers, ms, scans, elements, ...rest });
  }
  await app.close();
  if (source.isInitialized) await source.destroy();
  await flushLogger(logger);
  return costs;
}

/** A token of a user with all scopes. */
async function tokenFor(applications: ApplicationsService, userId: number): Promise<string> {
  const { clientId } = await applications.create({ name: 'bench:scale', scopes: SCOPES });
  return applications.issue({ clientId, userId, scopes: SCOPES, ttl: 86_400 });
}

type Ran = readonly [what: Statement, values: readonly unknown[]];

/** The number of elements of the list in a response; 1 without a list. */
function elementsOf(body: string): number {
  const lists = Object.values(JSON.parse(body) as object).filter((value) => Array.isArray(value));
  return lists.length === 0 ? 1 : Math.max(...lists.map((list: readonly unknown[]) => list.length));
}

/** The statements that a request runs, and the elements of its response. */
async function statementsOf(
  database: Database,
  url: string,
  token: string,
  stored: StoredSearches,
): Promise<{ ran: readonly Ran[]; elements: number }> {
  const get = (): Promise<Response> =>
    fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  // The first request may store what later ones find.
  await (await get()).text();
  await stored.settled();
  const ran: Ran[] = [];
  const query = database.query.bind(database);
  database.query = (what, values = []) => {
    ran.push([what, values]);
    return query(what, values);
  };
  const response = await get();
  const body = await response.text();
  database.query = query;
  if (!response.ok) process.stderr.write(`${url}: ${response.status}\n`);
  return { ran, elements: elementsOf(body) };
}

async function explain(
  database: Database,
  name: string,
  statements: readonly Ran[],
): Promise<Omit<PlanCost, 'elements'>> {
  let [buffers, ms] = [0, 0];
  const scans = new Set<string>();
  for (const [{ name: own, text }, values] of statements) {
    if (!/^\s*\(*(SELECT|WITH)/i.test(text) || /\b(INSERT|UPDATE|DELETE)\b/.test(text)) continue;
    const what = {
      name: `explain.${own}`,
      text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    };
    let least = Infinity;
    let plan: PlanNode | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [row] = await database.query<Explained>(what, values);
      const [result] = row?.['QUERY PLAN'] ?? [];
      if (!result) throw new Error(`no plan of ${own}`);
      least = Math.min(least, result['Execution Time']);
      plan = result.Plan;
    }
    ms += least;
    buffers += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    if (plan) scansOf(plan, scans);
  }
  return { name, buffers, ms, scans: [...scans] };
}
