/** What files are stored as: JPEG pictures as JPEG, all others as PNG. */
export type Extension = 'jpg' | 'png';

/** Which of a picture's files: large or small. */
export type Variant = 'l' | 's';

/** Content types of stored files. */
export const CONTENT_TYPES: Readonly<Record<Extension, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** Where pictures of users are, below the API's address. */
const PLACE = '/pictures/u/';

const NAME = /^([0-9a-f]{64})-([ls])\.(jpg|png)$/;

/** A file's name, taken apart. */
export interface PictureName {
  /** SHA-256 of the large file, in hexadecimal digits. */
  readonly hash: string;
  readonly variant: Variant;
  readonly extension: Extension;
}

export const fileName = (hash: string, variant: Variant, extension: Extension): string =>
  `${hash}-${variant}.${extension}`;

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

/** Whether a path or address is that of a user's picture. */
export const isPicturePath = (path: string): boolean =>
  path.startsWith(PLACE) && NAME.test(path.slice(PLACE.length));
