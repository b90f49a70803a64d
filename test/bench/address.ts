import { Client } from 'pg';

/**
 * Creates a database on a server; returns its address.
 * @param template the name of a database that is copied; nobody may be connected to it
 */
export async function databaseOf(server: string, name: string, template?: string): Promise<string> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  await client.end();
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.toString();
}
