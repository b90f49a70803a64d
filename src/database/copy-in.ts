import { Query, type Client, type Connection } from 'pg';

/** Maximum bytes of a message: the socket takes it at once, so that larger ones only cost memory. */
const MESSAGE_BYTES = 65_536;

/** UTF-16 units from which rows are sent: about as many bytes of Chinese text. */
const MESSAGE_LENGTH = 21_800;

/** Members of the connection of `pg` that its types lack. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** A `COPY ... FROM STDIN` with its data. `pg` itself rejects the server's request for data. */
class CopyInQuery extends Query {
  constructor(
    text: string,
    // `pg` has a member `rows`.
    private readonly copied: CopyRows,
  ) {
    super({ text });
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const message of this.copied.takeMessages()) connection.sendCopyFromChunk(message);
    connection.endCopyFrom();
  }
}

/**
 * Copies rows into a table.
 * @param timeoutMs milliseconds until the statement is abandoned; 0 means no limit
 * @throws errors of `pg`
 */
export function copyIn(
  client: Client,
  text: string,
  rows: CopyRows,
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = Object.assign(new CopyInQuery(text, rows), {
      query_timeout: timeoutMs,
      callback: (error: Error | null | undefined) => {
        if (error) reject(error);
        else resolve();
      },
    });
    client.query(query);
  });
}

const SPECIAL = /[\\\t\n\r]/;
const ALL_SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** Most texts have no special character. */
const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => ESCAPES[character] ?? '') : text;

/** A row in the text format of COPY (PostgreSQL, COPY, "Text Format"). */
function copyLine(values: readonly (string | number | null)[]): string {
  let line = '';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as string | number | null;
    if (at > 0) line += '\t';
    if (value === '') continue;
    if (typeof value === 'string') line += escaped(value);
    else line += value === null ? '\\N' : String(value);
  }
  return `${line}\n`;
}

/**
 * Rows for a `COPY`, as messages in buffers: a string of many rows would be copied by garbage
 * collections until it is sent.
 */
export class CopyRows {
  private readonly complete: Buffer[] = [];
  private text = '';

  add(values: readonly (string | number | null)[]): void {
    this.text += copyLine(values);
    if (this.text.length >= MESSAGE_LENGTH) this.endMessage();
  }

  get isEmpty(): boolean {
    return this.complete.length === 0 && this.text === '';
  }

  /** The messages. They are not kept: a transaction that is retried makes its rows again. */
  takeMessages(): readonly Buffer[] {
    if (this.text !== '') this.endMessage();
    return this.complete.splice(0);
  }

  private endMessage(): void {
    const bytes = Buffer.from(this.text);
    this.text = '';
    for (let at = 0; at < bytes.length; at += MESSAGE_BYTES)
      this.complete.push(bytes.subarray(at, at + MESSAGE_BYTES));
  }
}

/** The literal of an array of texts, as a value of {@link CopyRows}. */
export const arrayLiteral = (texts: readonly string[]): string =>
  texts.length === 0
    ? '{}'
    : `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

const QUOTED = /['\\]/;
const ALL_QUOTED = /['\\]/g;

/** The literal of a `tsvector` without positions, as a value of {@link CopyRows}. */
export function tsvectorLiteral(lexemes: readonly string[]): string {
  const joined = lexemes.join(' ');
  // Most texts have no quotation mark.
  const quoted = QUOTED.test(joined)
    ? lexemes.map((lexeme) => lexeme.replace(ALL_QUOTED, '$&$&'))
    : lexemes;
  return quoted.length === 0 ? '' : `'${quoted.join("' '")}'`;
}
