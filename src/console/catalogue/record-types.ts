import { RECORD_TYPES, type RecordType } from '../../admin/records/record-types';
import { notFound } from '../../api/errors/error-codes';

/** The type of records with a name. */
export const typeNamed = (name: unknown): RecordType | undefined =>
  RECORD_TYPES.find((type) => type.name === name);

/** @throws OperationError 1001 for an unknown type */
export function requireType(name: string): RecordType {
  const type = typeNamed(name);
  if (!type) throw notFound(`type not found: ${name}`);
  return type;
}
