import { type Readable } from 'node:stream';
import { decoded } from './decoded';
import { type Around } from './kind';

/** One record of a file, or what is wrong where one was expected. */
export interface RawRecord {
  /** Line that it begins on, from 1. */
  readonly line: number;
  readonly value?: unknown;
  /** Name of the list that it stands in, when the file is a list response. */
  readonly member?: string;
  /** What is around that list, when it was asked for. */
  readonly around?: Around;
  readonly fault?: string;
}

/** Most elements that wait for what comes after their list; of longer lists only what is before. */
const MOST_HELD = 5000;

function parseLine(text: string, line: number): RawRecord {
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch {
    return { line, fault: 'not valid JSON' };
  }
}

/**
 * The records of a file: one JSON object, an array of them, a list response whose member is one of
 * `members`, or newline-delimited JSON; streamed, so that size does not matter. Gzip is recognised.
 *
 * @param held members whose elements come with what is around their list
 */
export async function* readRecords(
  input: Readable,
  members: ReadonlySet<string>,
  held: ReadonlySet<string> = new Set(),
): AsyncGenerator<RawRecord> {
  const chunks = decoded(input);
  let head = '';
  let done = false;
  const more = async (): Promise<void> => {
    const next = await chunks.next();
    if (next.done === true) done = true;
    else head += next.value;
  };
  // The first lines decide: when they are whole objects by themselves, the file has one a line.
  while (!done && !hasTwoLines(head) && head.length < 1_000_000) await more();
  head = head.replace(/^\ufeff/, '');
  const rest = async function* (): AsyncGenerator<string> {
    yield head;
    if (!done) yield* chunks;
  };
  if (isLines(head, done)) yield* byLine(rest(), [members, held]);
  else yield* byStructure(rest(), members, held);
}

/** Whether two lines that hold something are there, whole. */
function hasTwoLines(text: string): boolean {
  const whole = text.split('\n').slice(0, -1);
  return whole.filter((line) => line.trim() !== '').length > 1;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** One of the first two lines is a whole object: the other may be one that somebody broke. */
function isLines(head: string, whole: boolean): boolean {
  const text = head.trim();
  if (text.startsWith('[')) return false;
  const lines = text.split('\n', 3).filter((line) => line.trim() !== '');
  // The last line of what has been read so far may go on.
  const complete = whole ? lines : lines.slice(0, Math.max(1, lines.length - 1));
  return text.includes('\n') && complete.slice(0, 2).some(isObject);
}

/** A line may hold a list response of its own. */
function* unwrap(
  record: RawRecord,
  [members, held]: readonly [ReadonlySet<string>, ReadonlySet<string>],
): Generator<RawRecord> {
  const { value, line } = record;
  let wrapped = false;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const around = value as Record<string, unknown>;
    for (const [member, list] of Object.entries(value)) {
      if (!members.has(member) || !Array.isArray(list)) continue;
      wrapped = true;
      for (const [at, element] of (list as unknown[]).entries()) {
        const inside = { line, member, value: element };
        yield held.has(member) ? { ...inside, around: { members: around, at } } : inside;
      }
    }
  }
  if (!wrapped) yield record;
}

async function* byLine(
  chunks: AsyncIterable<string>,
  lists: readonly [ReadonlySet<string>, ReadonlySet<string>],
): AsyncGenerator<RawRecord> {
  let line = 0;
  let pending = '';
  for await (const chunk of chunks) {
    const parts = (pending + chunk).split('\n');
    pending = parts.pop() ?? '';
    for (const part of parts) {
      line += 1;
      if (part.trim() !== '') yield* unwrap(parseLine(part, line), lists);
    }
  }
  if (pending.trim() !== '') yield* unwrap(parseLine(pending, line + 1), lists);
}

/** Where the scanner stands: in how many brackets, in a string, which list it streams. */
class Scanner {
  private depth = 0;
  private inString = false;
  private escaped = false;
  private line = 1;
  private text = '';
  private textLine = 1;
  /** Depth of the list whose elements are records: 1 for an array, 2 inside a list response. */
  private listDepth = 0;
  private member: string | undefined;
  private wrapped = false;
  private key = '';
  private stringText = '';

  /** The object around the lists, with null for each, as far as it has been read. */
  private around = '';
  private at = 0;
  private waiting: RawRecord[] = [];

  constructor(
    private readonly members: ReadonlySet<string>,
    private readonly held: ReadonlySet<string>,
  ) {}

  *push(chunk: string): Generator<RawRecord> {
    for (const character of chunk) yield* this.step(character);
  }

  *end(): Generator<RawRecord> {
    yield* this.release(this.around);
    if (this.depth > 0 || this.inString) yield { line: this.line, fault: 'the file ends early' };
    else if (this.text.trim() !== '') yield parseLine(this.text, this.textLine);
  }

  private *step(character: string): Generator<RawRecord> {
    if (character === '\n') this.line += 1;
    if (this.inString) {
      this.inside(character);
      return;
    }
    if (character === '"') {
      this.inString = true;
      this.stringText = '';
    } else if (character === '{' || character === '[') {
      if (this.opensList(character)) return;
      this.depth += 1;
    } else if (character === '}' || character === ']') {
      if (this.depth === this.listDepth && this.listDepth > 0) {
        yield* this.closeList();
        return;
      }
      this.depth -= 1;
    } else if (character === ',' && this.depth === this.listDepth && this.listDepth > 0) {
      yield* this.emit();
      return;
    } else if (character === ':') {
      this.key = this.stringText;
    }
    this.take(character);
    if (this.depth === 0 && this.listDepth === 0 && (character === '}' || character === ']')) {
      yield* this.emitTop();
    }
  }

  private inside(character: string): void {
    this.take(character);
    if (this.escaped) this.escaped = false;
    else if (character === '\\') this.escaped = true;
    else if (character === '"') this.inString = false;
    // Keys are short; longer strings are content and of no interest here.
    if (this.inString && this.stringText.length < 40) this.stringText += character;
  }

  private take(character: string): void {
    if (this.text === '') {
      if (/\s/.test(character)) return;
      this.textLine = this.line;
    }
    this.text += character;
  }

  /** The bracket opens the list whose elements are records. */
  private opensList(character: string): boolean {
    if (character !== '[' || this.listDepth > 0) return false;
    const top = this.depth === 0;
    if (!top && !(this.depth === 1 && this.members.has(this.key))) return false;
    this.depth += 1;
    this.listDepth = this.depth;
    this.member = top ? undefined : this.key;
    this.wrapped = !top;
    this.at = 0;
    if (!top) this.around += `${this.text}null`;
    this.text = '';
    return true;
  }

  private *closeList(): Generator<RawRecord> {
    yield* this.emit();
    this.depth -= 1;
    this.listDepth = 0;
  }

  private *emit(): Generator<RawRecord> {
    const { text, textLine, member } = this;
    this.text = '';
    if (text.trim() === '') return;
    const record = { ...parseLine(text, textLine), ...(member === undefined ? {} : { member }) };
    if (member === undefined || !this.held.has(member)) {
      yield record;
      return;
    }
    this.waiting.push({ ...record, around: { members: {}, at: this.at++ } });
    if (this.waiting.length >= MOST_HELD) yield* this.release(`${this.around}}`);
  }

  /** The elements that waited, with the object around their list. */
  private *release(around: string): Generator<RawRecord> {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    const { value } = parseLine(around, 0);
    const members = (value ?? {}) as Record<string, unknown>;
    for (const record of waiting) {
      yield { ...record, around: { members, at: record.around?.at ?? 0 } };
    }
  }

  /** A whole value at the top: a record, unless it was the wrapper of a list. */
  private *emitTop(): Generator<RawRecord> {
    if (this.wrapped) {
      yield* this.release(this.around + this.text);
      this.around = '';
      this.text = '';
      this.wrapped = false;
      this.member = undefined;
      return;
    }
    yield* this.emit();
  }
}

async function* byStructure(
  chunks: AsyncIterable<string>,
  members: ReadonlySet<string>,
  held: ReadonlySet<string>,
): AsyncGenerator<RawRecord> {
  const scanner = new Scanner(members, held);
  for await (const chunk of chunks) yield* scanner.push(chunk);
  yield* scanner.end();
}
