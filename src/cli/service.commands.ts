import { writeFile } from 'node:fs/promises';
import { AdminTokensService } from '../admin/tokens.service';
import { apiDocument } from '../pages/api-documents';
import { RouteTable } from '../api/routing/route-table';
import { ENTITIES } from '../server/entities';
import { makeApp } from '../server/setup';
import { flushLogger, makeLogger } from '../config/logger';
import { readSettings } from '../config/settings';
import { makeDataSource } from '../database/data-source';
import { migrateDown, migrateUp, migrationStatus } from '../database/migrate';
import { describeLosses } from '../database/migration-losses';
import { SampleService } from '../sample/sample.service';
import { startServer } from '../server/start';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { auditedImport } from './support/audited';
import { logToStderr, withServices, withSource } from './support/bootstrap';
import { print } from './support/output';

@Command({ name: 'serve', description: 'start the server, like npm start' })
export class ServeCommand extends CommandRunner {
  run(): Promise<void> {
    return startServer();
  }
}

@Command({ name: 'up', description: 'apply all pending migrations' })
export class MigrateUpCommand extends CommandRunner {
  async run(): Promise<void> {
    await withSource(async (source) => {
      print({ applied: await migrateUp(source) });
    });
  }
}

@Command({
  name: 'down',
  description: 'revert the latest migration; prints the data it deletes, and requires --yes',
})
export class MigrateDownCommand extends CommandRunner {
  async run(_arguments: string[], { yes = false }: { yes?: boolean }): Promise<void> {
    await withSource(async (source) => {
      const reversal = await migrateDown(source, ({ name, losses }) => {
        logToStderr(`${name}: reverting this migration ${describeLosses(losses)}`);
        if (!yes) throw new Error('migrate down: nothing was changed; --yes reverts the migration');
      });
      print({ reverted: reversal?.name ?? null, deleted: reversal?.losses ?? null });
    });
  }

  @Option({ flags: '--yes', description: 'confirm the deletion of data' })
  parseYes(): boolean {
    return true;
  }
}

@Command({ name: 'status', description: 'list migrations and whether they are applied' })
export class MigrateStatusCommand extends CommandRunner {
  async run(): Promise<void> {
    await withSource(async (source) => {
      print({ migrations: await migrationStatus(source) });
    });
  }
}

@Command({
  name: 'migrate',
  description: 'migrate the database schema',
  subCommands: [MigrateUpCommand, MigrateDownCommand, MigrateStatusCommand],
})
export class MigrateCommand extends ParentCommand {}

@Command({ name: 'load', description: 'load or update the sample catalogue' })
export class SampleLoadCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      print(await auditedImport(app, 'sample', {}, () => app.get(SampleService).load()));
    });
  }
}

@Command({
  name: 'token',
  description: 'print an access token of the sample reader, valid for a week',
})
export class SampleTokenCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      const token = await app.get(SampleService).newToken();
      if (!token) throw new Error('the database does not contain the sample');
      const tokens = app.get(AdminTokensService, { strict: false });
      print({ access_token: await tokens.issue(token, cliActor()), expires_in: token.ttl });
    });
  }
}

@Command({
  name: 'sample',
  description: 'the sample catalogue',
  subCommands: [SampleLoadCommand, SampleTokenCommand],
})
export class SampleCommand extends ParentCommand {}

@Command({ name: 'openapi', description: 'write the OpenAPI document' })
export class OpenApiCommand extends CommandRunner {
  async run(
    _arguments: string[],
    { out, admin = false }: { out?: string; admin?: boolean },
  ): Promise<void> {
    const settings = readSettings({ LOG_LEVEL: 'error' });
    // Building the routes needs no database, so this URL is never used.
    const source = makeDataSource(settings, 'postgres://localhost/none', ENTITIES);
    const logger = makeLogger(settings, 2);
    const app = await makeApp(settings, source, logger);
    const document = apiDocument(admin ? 'admin' : 'public', app.get(RouteTable));
    await app.close();
    await flushLogger(logger);
    if (out === undefined) print(document);
    else await writeFile(out, `${JSON.stringify(document, null, 2)}\n`);
  }

  @Option({ flags: '--out <file>', description: 'file to write' })
  parseOut(value: string): string {
    return value;
  }

  @Option({ flags: '--admin', description: 'the document of the administration API' })
  parseAdmin(): boolean {
    return true;
  }
}
