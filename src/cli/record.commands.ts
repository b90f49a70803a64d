import { type INestApplicationContext } from '@nestjs/common';
import { parseId } from '../admin/records/records.input';
import { MergesService } from '../admin/records/merges.service';
import { BOOKS, RECORD_TYPES, SUBJECTS, type RecordType } from '../admin/records/record-types';
import { RecordsService, type RecordFilter } from '../admin/records/records.service';
import { SERIES_TITLE, SeriesService } from '../admin/series.service';
import { cleanText, lengthOf } from '../api/input/text-input';
import { type Actor } from '../audit/audit.service';
import { type WireRecord } from '../import-export/engine/record-edit-hooks';
import { RECORD_STATES, type RecordState } from '../import-export/engine/record-lists';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { choiceOption, idOption } from './support/options';
import { readInput, withServices } from './support/bootstrap';
import { print, printAll } from './support/output';

const SERIES = 'series';
const NAMES = [...RECORD_TYPES.map(({ name }) => name), SERIES];

/** Operations on records of a kind; without an id, `put` creates a record. */
interface Editor {
  scan(filter: RecordFilter): AsyncIterable<object>;
  get(id: number): Promise<object>;
  put(id: number | undefined, input: WireRecord, actor: Actor): Promise<object>;
  delete(id: number, actor: Actor): Promise<void>;
}

function titleOf({ title }: WireRecord): string {
  const text = typeof title === 'string' ? cleanText(title) : '';
  if (text !== '' && lengthOf(text) <= SERIES_TITLE) return text;
  throw new Error(`a series requires a title of at most ${SERIES_TITLE} characters`);
}

function seriesEditor(series: SeriesService): Editor {
  return {
    scan({ q, state }) {
      if (state !== 'visible')
        throw new Error('deleted series cannot be listed: series have no soft delete');
      return series.scan(q);
    },
    get: (id) => series.getSeries(id),
    put(id, input, actor) {
      if (id !== undefined) return series.update(id, titleOf(input), actor);
      return series.create(titleOf(input), parseId(input), actor);
    },
    delete: (id, actor) => series.deleteSeries(id, actor),
  };
}

function editorOf(app: INestApplicationContext, name: string): Editor {
  if (name === SERIES) return seriesEditor(app.get(SeriesService, { strict: false }));
  const kind = RECORD_TYPES.find((one) => one.name === name) as RecordType;
  const records = app.get(RecordsService, { strict: false });
  return {
    scan: (filter) => records.scan(kind, filter),
    get: (id) => records.getRecord(kind, id),
    put: (id, input, actor) =>
      id === undefined
        ? records.create(kind, input, actor)
        : records.update(kind, id, input, actor),
    delete: (id, actor) => records.deleteRecord(kind, id, actor),
  };
}

/** The name of a kind, in the plural of this API or the singular of imports. */
function nameOf(text: string): string {
  return RECORD_TYPES.find(({ kind }) => kind === text)?.name ?? choiceOption('kind', text, NAMES);
}

function parse(text: string): WireRecord {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as WireRecord;
  }
  throw new Error('a record must be a JSON object');
}

const withEditor = (name: string, work: (editor: Editor) => Promise<void>): Promise<void> => {
  const kind = nameOf(name);
  return withServices((app) => work(editorOf(app, kind)));
};

@Command({
  name: 'list',
  arguments: '<kind> [part]',
  values: { kind: NAMES },
  description: 'list records, optionally by a part of the title or name; one JSON object per line',
})
export class RecordListCommand extends CommandRunner {
  run([name = '', q]: string[], { state = 'visible' }: { state?: RecordState }): Promise<void> {
    return withEditor(name, (editor) => printAll(editor.scan({ q, state })));
  }

  @Option({
    flags: '--state <state>',
    description: `${RECORD_STATES.join(', ')} (default: visible)`,
    choices: [...RECORD_STATES],
  })
  parseState(value: string): string {
    return choiceOption('state', value, RECORD_STATES);
  }
}

@Command({
  name: 'show',
  arguments: '<kind> <id>',
  values: { kind: NAMES },
  description: 'show a record in export form',
})
export class RecordShowCommand extends CommandRunner {
  run([name = '', id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withEditor(name, async (editor) => {
      print(await editor.get(wanted));
    });
  }
}

@Command({
  name: 'put',
  arguments: '<kind> [id]',
  values: { kind: NAMES },
  description:
    'update a record with the JSON members from standard input, and restore a soft-deleted one; ' +
    'without an id, create a record',
})
export class RecordPutCommand extends CommandRunner {
  async run([name = '', id]: string[]): Promise<void> {
    const wanted = id === undefined ? undefined : idOption(id);
    const input = parse(await readInput());
    await withEditor(name, async (editor) => {
      print(await editor.put(wanted, input, cliActor()));
    });
  }
}

@Command({
  name: 'remove',
  arguments: '<kind> <id>',
  values: { kind: NAMES },
  description: 'soft-delete a record; reviews and comments about it stay',
})
export class RecordRemoveCommand extends CommandRunner {
  run([name = '', id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withEditor(name, async (editor) => {
      await editor.delete(wanted, cliActor());
      print({ kind: nameOf(name), id, removed: true });
    });
  }
}

@Command({
  name: 'merge',
  arguments: '<kind> <id> <into>',
  values: { kind: [BOOKS.name, SUBJECTS.name] },
  description: 'merge a book or film into another one, which its id means from then on',
})
export class RecordMergeCommand extends CommandRunner {
  run(
    [name = '', id = '', into = '']: string[],
    { check = false }: { check?: boolean },
  ): Promise<void> {
    const requested = { id: idOption(id), into: idOption(into) };
    const kind = RECORD_TYPES.find((one) => one.name === nameOf(name));
    if (!kind) return Promise.reject(new Error(`${name} cannot be merged`));
    return withServices(async (app) => {
      const merges = app.get(MergesService, { strict: false });
      print(
        check
          ? await merges.preview(kind, requested)
          : await merges.merge(kind, requested, cliActor()),
      );
    });
  }

  @Option({ flags: '--check', description: 'print what would change, and change nothing' })
  parseCheck(): boolean {
    return true;
  }
}

@Command({
  name: 'record',
  description: `${NAMES.join(', ')}, one at a time`,
  subCommands: [
    RecordListCommand,
    RecordShowCommand,
    RecordPutCommand,
    RecordRemoveCommand,
    RecordMergeCommand,
  ],
})
export class RecordCommand extends ParentCommand {}
