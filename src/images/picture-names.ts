import { type PictureUseKey } from '../api/resources/resource';

/** What files are stored as: JPEG pictures as JPEG, all others as PNG. */
export type Extension = 'jpg' | 'png';

/** Which of a picture's files: large or small. */
export type Variant = 'l' | 's';

/** Content types of stored files. */
export const CONTENT_TYPES: Readonly<Record<Extension, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** Kinds of things that have pictures; their ids are told apart by it. */
export const PICTURE_SUBJECTS = ['annotation', 'note'] as const;
export type PictureSubject = (typeof PICTURE_SUBJECTS)[number];

/** Where pictures of users are, below the API's address. */
const PLACE = '/pictures/u/';

const NAME = /^([0-9a-f]{64})-([ls])\.(jpg|png)$/;

const PRIVATE_NAME = new RegExp(
  `^(${PICTURE_SUBJECTS.join('|')})-([1-9]\\d{0,15})-([1-9]\\d{0,3})-([ls])\\.(jpg|png)$`,
);

/** A file's name, taken apart. */
export interface PictureName {
  /** SHA-256 of the large file, in hexadecimal digits. */
  readonly hash: string;
  readonly variant: Variant;
  readonly extension: Extension;
}

export const fileName = (hash: string, variant: Variant, extension: Extension): string =>
  `${hash}-${variant}.${extension}`;

/** What the signed address of one private use is named by, taken apart. */
export interface PrivateName {
  readonly subject: PictureSubject;
  readonly id: number;
  /** Which of the subject's pictures it is. */
  readonly number: number;
  readonly variant: Variant;
  readonly extension: Extension;
}

/** A private use's name taken apart; undefined for any other name. */
export function parsePrivateName(name: string): PrivateName | undefined {
  const [, subject, id, number, variant, extension] = PRIVATE_NAME.exec(name) ?? [];
  if (subject === undefined) return undefined;
  return {
    subject: subject as PictureSubject,
    id: Number(id),
    number: Number(number),
    variant: variant as Variant,
    extension: extension as Extension,
  };
}

/** The path that an address of a file has. */
export const pathOf = (name: string): string => PLACE + name;

/** A file's name taken apart; undefined for a name that no picture has. */
export function parseName(name: string): PictureName | undefined {
  const [, hash, variant, extension] = NAME.exec(name) ?? [];
  if (hash === undefined) return undefined;
  return { hash, variant: variant as Variant, extension: extension as Extension };
}

/** The hash of the picture that a path is of; undefined for any other path or address. */
export const hashOfPath = (path: string): string | undefined =>
  path.startsWith(PLACE) ? parseName(path.slice(PLACE.length))?.hash : undefined;

/**
 * The path of a private use of a picture, which says nothing about the picture's content.
 *
 * @param path of the picture's file
 * @returns undefined for what is no path of a user's picture
 */
export function privatePathOf(
  path: string,
  { subject, id, number }: PictureUseKey,
): string | undefined {
  const name = path.startsWith(PLACE) ? parseName(path.slice(PLACE.length)) : undefined;
  return name && pathOf(`${subject}-${id}-${number}-${name.variant}.${name.extension}`);
}
