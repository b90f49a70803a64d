import { cleanText } from './text-input';
import { parameter, type Composite } from './parameter';

/** Maximum number of records in one request (D46). */
export const MAX_ASKED = 100;

/** Splits a list with commas or newlines as separators; undefined unless it has 1 to 100 names. */
function namesIn(raw: string): string[] | undefined {
  const all = raw.split(/[,\n]/).map(cleanText);
  const names = [...new Set(all.filter((name) => name !== ''))];
  return names.length > 0 && names.length <= MAX_ASKED ? names : undefined;
}

/** Distinct numeric ids in the order of the request, as they were written (D46). */
export const IdListParam = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    list: true,
    schema: { type: 'string', pattern: '^[0-9]+(,[0-9]+)*$' },
    expects: `1 to ${MAX_ASKED} numeric ids, separated by commas`,
    read: (raw) => {
      const ids = namesIn(raw);
      return ids?.every((id) => /^\d+$/.test(id)) === true ? ids : undefined;
    },
  });

/** Distinct names in the order of the request, as they were written (D46). */
export const NameListParam = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    list: true,
    schema: { type: 'string' },
    expects: `1 to ${MAX_ASKED} values, separated by commas`,
    read: namesIn,
  });
