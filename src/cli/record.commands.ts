import { Command, CommandRunner, SubCommand } from 'nest-commander';
import * as kinds from '../admin/records.kinds';
import { type RecordKind } from '../admin/records.kinds';
import { RecordsService, type WireRecord } from '../admin/records.service';
import { cliActor } from './actor';
import { print, readInput, withServices } from './session';

const KINDS = [
  kinds.BOOKS,
  kinds.SUBJECTS,
  kinds.CELEBRITIES,
  kinds.PHOTOS,
  kinds.EVENTS,
  kinds.LOCS,
];

function kindOf(name: string): RecordKind {
  const found = KINDS.find((one) => one.name === name || one.kind === name);
  if (found) return found;
  throw new Error(`no such kind: ${name}; there are ${KINDS.map((one) => one.name).join(', ')}`);
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`not an id: ${text}`);
  return Number(text);
}

function parse(text: string): WireRecord {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as WireRecord;
  }
  throw new Error('a record is a JSON object');
}

@SubCommand({ name: 'show', arguments: '<kind> <id>', description: 'a record, as exports have it' })
export class RecordShowCommand extends CommandRunner {
  async run([name = '', id = '']: string[]): Promise<void> {
    const [kind, wanted] = [kindOf(name), idOf(id)];
    await withServices(async (app) => {
      print(await app.get(RecordsService, { strict: false }).show(kind, wanted));
    });
  }
}

@SubCommand({
  name: 'put',
  arguments: '<kind> [id]',
  description:
    'change the members of a record that standard input has, or bring a removed one back; ' +
    'without an id, make one',
})
export class RecordPutCommand extends CommandRunner {
  async run([name = '', id]: string[]): Promise<void> {
    const kind = kindOf(name);
    const wanted = id === undefined ? undefined : idOf(id);
    const given = parse(await readInput());
    await withServices(async (app) => {
      const records = app.get(RecordsService, { strict: false });
      print(
        wanted === undefined
          ? await records.create(kind, given, cliActor())
          : await records.update(kind, wanted, given, cliActor()),
      );
    });
  }
}

@SubCommand({
  name: 'remove',
  arguments: '<kind> <id>',
  description: 'show a record no more; what people wrote about it stays',
})
export class RecordRemoveCommand extends CommandRunner {
  async run([name = '', id = '']: string[]): Promise<void> {
    const [kind, wanted] = [kindOf(name), idOf(id)];
    await withServices(async (app) => {
      await app.get(RecordsService, { strict: false }).remove(kind, wanted, cliActor());
      print({ kind: kind.name, id, removed: true });
    });
  }
}

@Command({
  name: 'record',
  description: 'books, subjects, celebrities, photos, events and locs, one at a time',
  subCommands: [RecordShowCommand, RecordPutCommand, RecordRemoveCommand],
})
export class RecordCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('record: say what to do: show, put or remove'));
  }
}
