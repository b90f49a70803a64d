import { type PartialRecord, type TableShape } from '../engine/partial.handler';
import { RecordReader } from '../engine/record';

/** A celebrity in a file: specification section 2.8. */
export interface CelebrityFields {
  readonly name: string;
  readonly name_en: string;
  readonly avatar_small: string;
  readonly avatar_medium: string;
  readonly avatar_large: string;
  readonly summary: string;
  readonly aka: readonly string[];
  readonly aka_en: readonly string[];
  readonly website: string;
  readonly gender: string;
  readonly birthday: string;
  readonly born_place: string;
  readonly professions: readonly string[];
  readonly constellation: string;
}

export const CELEBRITIES: TableShape<CelebrityFields> = {
  table: 'celebrities',
  columns: {
    name: 'text',
    name_en: 'text',
    avatar_small: 'text',
    avatar_medium: 'text',
    avatar_large: 'text',
    summary: 'text',
    aka: 'text[]',
    aka_en: 'text[]',
    website: 'text',
    gender: 'text',
    birthday: 'text',
    born_place: 'text',
    professions: 'text[]',
    constellation: 'text',
  },
  placeholders: true,
  touched: { updated_at: "date_trunc('second', now())" },
  isSoftDeletable: true,
  exported: "t.name <> ''",
};

const TEXTS = [
  'name',
  'name_en',
  'summary',
  'website',
  'gender',
  'birthday',
  'born_place',
  'constellation',
] as const;
const LISTS = ['aka', 'aka_en', 'professions'] as const;

/** Reads the fields of a celebrity. @throws RecordError with the reason */
export function readCelebrity(reader: RecordReader): PartialRecord<CelebrityFields> {
  const input: Record<string, unknown> = {};
  for (const name of TEXTS) if (reader.has(name)) input[name] = reader.text(name);
  for (const name of LISTS) if (reader.has(name)) input[name] = reader.texts(name);
  const avatars = reader.object('avatars');
  if (avatars) {
    const { small, medium, large } = avatars.sizes();
    Object.assign(input, { avatar_small: small, avatar_medium: medium, avatar_large: large });
  }
  return { id: reader.requiredId('id'), placeholder: reader.raw('placeholder') === true, input };
}

/** Reads a nested celebrity. @throws RecordError with the reason */
export const readPlaceholderCelebrity = (
  value: unknown,
  path: string,
): PartialRecord<CelebrityFields> => ({
  ...readCelebrity(new RecordReader(value, path)),
  placeholder: true,
});

/** A celebrity in the service's own JSON shape. */
export function wireCelebrity(celebrity: CelebrityFields): Record<string, unknown> {
  const { avatar_small: small, avatar_medium: medium, avatar_large: large } = celebrity;
  return {
    name: celebrity.name,
    name_en: celebrity.name_en,
    avatars: { small, large, medium },
    summary: celebrity.summary,
    aka: celebrity.aka,
    aka_en: celebrity.aka_en,
    website: celebrity.website,
    gender: celebrity.gender,
    birthday: celebrity.birthday,
    born_place: celebrity.born_place,
    professions: celebrity.professions,
    constellation: celebrity.constellation,
  };
}
