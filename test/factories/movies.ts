import { type Database, type SqlExecutor } from '../../src/database/database';
import { movieHandlers } from '../../src/import-export/movies';
import { storeRecords } from '../../src/import-export/engine/store';
import { Factories } from './factories';

type Wire = Record<string, unknown>;
type Wires = (at: number) => Wire;

const KINDS = movieHandlers();
const NOTHING: Wires = () => ({});

/** A chart's entries, its best first: a subject's id, or it with what the entry says of it. */
export type Entries = readonly (number | { subject: number; box?: number; delta?: number })[];

/** Films, people and what is about them, in the service's wire shapes, as {@link Factories}. */
export class MovieFactories {
  private next = 7_000_000;
  readonly people: Factories;

  constructor(private readonly database: Database) {
    this.people = new Factories(database);
  }

  private async store(name: string, wires: readonly Wire[]): Promise<number[]> {
    const kind = KINDS.find((one) => one.name === name);
    if (!kind) throw new Error(`no such kind: ${name}`);
    const identified = wires.map((wire) => ({ id: (this.next += 1), ...wire }));
    const records = identified.map((wire) => kind.parse(wire));
    await this.database.transaction((executor: SqlExecutor) =>
      storeRecords(executor, kind, records),
    );
    return identified.map(({ id }) => Number(id));
  }

  private many(name: string, count: number, wire: Wires): Promise<number[]> {
    return this.store(
      name,
      Array.from({ length: count }, (_, at) => wire(at)),
    );
  }

  /** A film, unless said otherwise; returns its id. */
  async aSubject(wire: Wire = {}): Promise<number> {
    return Number((await this.subjects(1, () => wire))[0]);
  }

  /** Several subjects at once; returns their ids in order. */
  subjects(count: number, wire: Wires = NOTHING): Promise<number[]> {
    return this.many('movie', count, (at) => ({ title: `Film ${this.next}`, ...wire(at) }));
  }

  /** A celebrity; returns the id. */
  async aCelebrity(wire: Wire = {}): Promise<number> {
    const named = { name: `Person ${this.next}`, ...wire };
    return Number((await this.store('celebrity', [named]))[0]);
  }

  /** Credits of a celebrity, one of each subject. */
  async credits(celebrity_id: number, subjects: readonly number[], wire: Wires): Promise<void> {
    const all = subjects.map((subject_id, at) => ({ ...wire(at), celebrity_id, subject_id }));
    await this.store('credit', all);
  }

  /** Photos of a subject or celebrity, whose id `of` has; returns their ids in order. */
  photos(of: Wire, count: number, wire: Wires = NOTHING): Promise<number[]> {
    return this.many('photo', count, (at) => ({ ...wire(at), ...of }));
  }

  /** Reviews of a subject by one user; returns their ids in order. */
  async reviews(subject_id: number, count: number, wire: Wires = NOTHING): Promise<number[]> {
    const { id: author_id } = await this.people.aUser();
    const text = { title: 'A review', summary: 'It says something.' };
    return this.many('movie-review', count, (at) => ({
      ...text,
      author_id,
      ...wire(at),
      subject_id,
    }));
  }

  /** Short comments on a subject by one user; returns their ids in order. */
  async comments(subject_id: number, count: number, wire: Wires = NOTHING): Promise<number[]> {
    const { id: author_id } = await this.people.aUser();
    return this.many('movie-comment', count, (at) => ({
      content: 'A comment.',
      author_id,
      ...wire(at),
      subject_id,
    }));
  }

  /** A chart's snapshot of a day. */
  async aChart(
    name: string,
    entries: Entries,
    { date = '2020-01-01', city = null as number | null, period = '' } = {},
  ): Promise<void> {
    const all = entries.map((entry) => (typeof entry === 'number' ? { subject: entry } : entry));
    await this.database.source.query(
      `WITH made AS (
         INSERT INTO chart_snapshots (name, city_id, date, period) VALUES ($1, $2, $3, $4)
         RETURNING id)
       INSERT INTO chart_entries (snapshot_id, rank, subject_id, box, delta)
       SELECT made.id, e.rank, e.subject, e.box, e.delta
       FROM made, unnest($5::bigint[], $6::bigint[], $7::int[]) WITH ORDINALITY
         AS e(subject, box, delta, rank)`,
      [
        name,
        city,
        date,
        period,
        all.map(({ subject }) => subject),
        all.map(({ box = 0 }) => box),
        all.map(({ delta = 0 }) => delta),
      ],
    );
  }

  /** A city; returns its id. */
  async aCity(name: string, uid: string): Promise<number> {
    const [{ id }] = await this.database.source.query<[{ id: string }]>(
      'INSERT INTO cities (uid, name) VALUES ($1, $2) RETURNING id',
      [uid, name],
    );
    return Number(id);
  }
}
