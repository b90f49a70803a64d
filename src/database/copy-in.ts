import { Query, type Client, type Connection } from 'pg';

/** Bytes per message: the socket takes a message at once, so that larger ones only cost memory. */
const MESSAGE_BYTES = 65_536;

/** Members of the connection of `pg` that its types lack. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** A `COPY ... FROM STDIN` with its data. `pg` itself rejects the server's request for data. */
class CopyInQuery extends Query {
  constructor(
    text: string,
    private data: string,
  ) {
    super({ text });
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const bytes = Buffer.from(this.data);
    // The data is not needed until the server has stored it.
    this.data = '';
    for (let at = 0; at < bytes.length; at += MESSAGE_BYTES) {
      connection.sendCopyFromChunk(bytes.subarray(at, at + MESSAGE_BYTES));
    }
    connection.endCopyFrom();
  }
}

/**
 * Copies rows into a table.
 * @param data lines of {@link copyLine}
 * @param timeoutMs milliseconds until the statement is abandoned; 0 means no limit
 * @throws errors of `pg`
 */
export function copyIn(
  client: Client,
  text: string,
  data: string,
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = Object.assign(new CopyInQuery(text, data), {
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

/** One row in the text format of COPY (PostgreSQL, COPY, "Text Format"). */
export function copyLine(values: readonly (string | number | null)[]): string {
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

/** The literal of an array of texts, as a value of {@link copyLine}. */
export const arrayLiteral = (texts: readonly string[]): string =>
  texts.length === 0
    ? '{}'
    : `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

const QUOTED = /['\\]/;
const ALL_QUOTED = /['\\]/g;

/** The literal of a `tsvector` without positions, as a value of {@link copyLine}. */
export function tsvectorLiteral(lexemes: readonly string[]): string {
  const joined = lexemes.join(' ');
  // Most texts have no quotation mark.
  const quoted = QUOTED.test(joined)
    ? lexemes.map((lexeme) => lexeme.replace(ALL_QUOTED, '$&$&'))
    : lexemes;
  return quoted.length === 0 ? '' : `'${quoted.join("' '")}'`;
}
