import { Client } from 'pg';

/** Creates a database on a server; returns its address. */
export async function databaseOf(server: string, name: string): Promise<string> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.toString();
}
