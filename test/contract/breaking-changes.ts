/** A part of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>;

const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const DAY = 24 * 3600 * 1000;

/** Days between the announcement of a removal and the removal (D137). */
const NOTICE_DAYS = 180;

/** Whether clients send a value or receive it. */
type Direction = 'sent' | 'received';

/** Compares two OpenAPI 3.1 documents from the view of clients that were written for the first. */
class Comparison {
  readonly breaks: string[] = [];
  private readonly compared = new Set<string>();

  constructor(
    private readonly before: Json,
    private readonly after: Json,
    private readonly today: Date,
  ) {}

  run(): void {
    for (const [path, item] of Object.entries(record(this.before.paths))) {
      for (const [method, operation] of Object.entries(record(item))) {
        const name = `${method.toUpperCase()} ${path}`;
        if (this.isPastSunset(record(operation))) continue;
        const now = record(record(this.after.paths)[path])[method];
        if (now === undefined) this.report(name, 'is removed');
        else this.operation(name, record(operation), record(now));
      }
    }
  }

  private isPastSunset(operation: Json): boolean {
    const { since, sunset } = record(operation['x-deprecation']);
    const [from, to] = [Date.parse(String(since)), Date.parse(String(sunset))];
    return to - from >= NOTICE_DAYS * DAY && to <= this.today.getTime();
  }

  private report(place: string, what: string): void {
    this.breaks.push(`${place} ${what}`);
  }

  private operation(name: string, before: Json, after: Json): void {
    if (before.operationId !== after.operationId) this.report(name, 'has another operationId');
    this.access(name, list(before.security).map(record), list(after.security).map(record));
    const keyOf = (one: Json): string => `${String(one.in)} parameter ${String(one.name)}`;
    const parameters = (operation: Json, document: Json): ReadonlyMap<string, Json> =>
      new Map(
        list(operation.parameters)
          .map((one) => this.resolve(one, document))
          .map((one) => [keyOf(one), one]),
      );
    const [old, now] = [parameters(before, this.before), parameters(after, this.after)];
    for (const [key, parameter] of old) {
      const same = now.get(key);
      if (same) this.schema(`${name} ${key}`, parameter.schema, same.schema, 'sent');
      else this.report(name, `has no ${key}`);
    }
    for (const [key, parameter] of now) {
      const wasRequired = old.get(key)?.required === true;
      if (parameter.required === true && !wasRequired) this.report(name, `requires ${key}`);
    }
    this.contents(`${name} body`, before.requestBody, after.requestBody, 'sent');
    for (const [status, response] of Object.entries(record(before.responses))) {
      // Clients handle codes of errors that they do not know by the status.
      if (!/^[23]/.test(status)) continue;
      const same = record(after.responses)[status];
      if (same === undefined) this.report(name, `has no status ${status}`);
      else this.contents(`${name} ${status}`, response, same, 'received');
    }
  }

  /** Every way in which an operation could be called must still be sufficient. */
  private access(name: string, before: readonly Json[], after: readonly Json[]): void {
    const allows = (way: Json): boolean =>
      after.length === 0 ||
      after.some((other) =>
        Object.entries(other).every(([scheme, scopes]) =>
          list(scopes).every((scope) => scheme in way && list(way[scheme]).includes(scope)),
        ),
      );
    const ways = before.length === 0 ? [{}] : before;
    if (!ways.every(allows)) this.report(name, 'requires more access');
  }

  private contents(place: string, before: unknown, after: unknown, direction: Direction): void {
    const old = record(this.resolve(before, this.before).content);
    const now = record(this.resolve(after, this.after).content);
    for (const [type, media] of Object.entries(old)) {
      const same = now[type];
      if (same === undefined) this.report(place, `is not available as ${type}`);
      else this.schema(place, record(media).schema, record(same).schema, direction);
    }
  }

  private resolve(value: unknown, document: Json): Json {
    const { $ref } = record(value);
    if (typeof $ref !== 'string') return record(value);
    const names = $ref.slice(2).split('/');
    return names.reduce((at, name) => record(at[name]), document);
  }

  private schema(place: string, before: unknown, after: unknown, direction: Direction): void {
    const pair = JSON.stringify([record(before).$ref, record(after).$ref, direction]);
    // Objects may refer to themselves; each is reported once.
    if (record(before).$ref !== undefined && this.compared.has(pair)) return;
    this.compared.add(pair);
    const [old, now] = [this.resolve(before, this.before), this.resolve(after, this.after)];
    // What is sent must still be accepted, and what is received must have been expected.
    const [narrow, wide] = direction === 'sent' ? [old, now] : [now, old];
    const types = valuesOf(wide, 'type');
    const extra = valuesOf(narrow, 'type')?.filter((type) => types?.includes(type) === false);
    if ((types && !valuesOf(narrow, 'type')) || extra?.length) {
      this.report(place, `has another type (${String(extra)})`);
    }
    const values = valuesOf(wide, 'enum');
    const others = valuesOf(narrow, 'enum')?.filter((value) => values?.includes(value) === false);
    if ((values && !valuesOf(narrow, 'enum')) || others?.length) {
      this.report(
        place,
        `has ${direction === 'sent' ? 'fewer' : 'more'} values (${String(others)})`,
      );
    }
    if (direction === 'sent') this.bounds(place, old, now);
    this.members(place, old, now, direction);
    if (old.items !== undefined && now.items !== undefined) {
      this.schema(`${place}[]`, old.items, now.items, direction);
    }
  }

  private bounds(place: string, old: Json, now: Json): void {
    for (const name of ['minimum', 'minLength']) {
      const least = now[name] as number | undefined;
      if (least !== undefined && !(Number(old[name]) >= least))
        this.report(place, `has a higher ${name}`);
    }
    for (const name of ['maximum', 'maxLength', 'maxItems']) {
      const most = now[name] as number | undefined;
      if (most !== undefined && !(Number(old[name]) <= most))
        this.report(place, `has a lower ${name}`);
    }
    if (now.pattern !== undefined && now.pattern !== old.pattern)
      this.report(place, 'has another pattern');
  }

  private members(place: string, old: Json, now: Json, direction: Direction): void {
    const members = record(now.properties);
    for (const [name, schema] of Object.entries(record(old.properties))) {
      if (members[name] === undefined) this.report(place, `has no ${name}`);
      else this.schema(`${place}.${name}`, schema, members[name], direction);
    }
    const [more, less] = direction === 'sent' ? [now, old] : [old, now];
    const lost = list(more.required).filter((name) => !list(less.required).includes(name));
    const word = direction === 'sent' ? 'requires' : 'does not always have';
    for (const name of lost) this.report(place, `${word} ${String(name)}`);
  }
}

/** The types or values of a schema and its alternatives; undefined if it does not limit them. */
function valuesOf(schema: Json, member: 'type' | 'enum'): unknown[] | undefined {
  const alternatives = list(schema.anyOf ?? schema.oneOf).map(record);
  if (alternatives.length > 0) {
    const all = alternatives.map((one) => (one.$ref ? ['object'] : valuesOf(one, member)));
    return all.includes(undefined) ? undefined : all.flatMap((values) => values ?? []);
  }
  const value = schema[member];
  if (value === undefined) return undefined;
  const values = Array.isArray(value) ? value : [value];
  return member === 'type' && values.includes('number') ? [...values, 'integer'] : [...values];
}

/**
 * What breaks clients of `before` in `after`, one line each. Operations past their sunset, which was
 * announced at least 180 days before, may change.
 */
export function breakingChanges(before: object, after: object, today: Date): string[] {
  const comparison = new Comparison(before as Json, after as Json, today);
  comparison.run();
  return comparison.breaks;
}
