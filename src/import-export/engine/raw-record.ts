import { isUtf8 } from 'node:buffer';
import { isNestedDeeper } from '../../api/body/json-depth';
import { type Around } from './record-handler';
import { hasTooManyValues, NOT_UTF8, TOO_DEEP, TOO_MANY_VALUES } from './record-limits';

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

/** How records of list responses are recognised. */
export interface ListMembers {
  /** Members whose elements are records. */
  readonly members: ReadonlySet<string>;
  /** Those of them whose elements come with what is around their list. */
  readonly held: ReadonlySet<string>;
}

/** A record and the bytes of its text. */
export interface SizedRecord {
  readonly record: RawRecord;
  readonly size: number;
}

/** Reads the JSON of one record. */
export const parseRecord = (json: Buffer, line: number): RawRecord =>
  isUtf8(json) ? parseText(json.toString(), line) : { line, fault: NOT_UTF8 };

/** Reads the text of one record. */
export function parseText(json: string, line: number): RawRecord {
  if (hasTooManyValues(json)) return { line, fault: TOO_MANY_VALUES };
  if (isNestedDeeper(json)) return { line, fault: TOO_DEEP };
  try {
    return { line, value: JSON.parse(json) as unknown };
  } catch {
    return { line, fault: 'not valid JSON' };
  }
}
