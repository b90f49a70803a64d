import { type PictureUseKey } from '../api/resources/resource';

/** Stored formats: JPEG stays JPEG, others become PNG. */
export type Extension = 'jpg' | 'png';

/** The large or small file of a picture. */
export type Variant = 'l' | 's';

/** Content types of stored files. */
export const CONTENT_TYPES: Readonly<Record<Extension, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** Kinds of content with pictures, which distinguish their ids. */
export const PICTURE_SUBJECTS = ['annotation', 'note', 'application'] as const;
export type PictureSubject = (typeof PICTURE_SUBJECTS)[number];

/** Path of uploaded pictures below the base URL. */
export const UPLOADED_PICTURES_PATH = '/pictures/u/';

const NAME = /^([0-9a-f]{64})-([ls])\.(jpg|png)$/;

const PRIVATE_NAME = new RegExp(
  `^(${PICTURE_SUBJECTS.join('|')})-([1-9]\\d{0,15})-([1-9]\\d{0,3})-([ls])\\.(jpg|png)$`,
);

/** A parsed file name. */
export interface PictureName {
  /** SHA-256 of the large file in hexadecimal. */
  readonly hash: string;
  readonly variant: Variant;
  readonly extension: Extension;
}

export const fileName = (hash: string, variant: Variant, extension: Extension): string =>
  `${hash}-${variant}.${extension}`;

/** The parsed name in the signed URL of a private use. */
export interface PrivateName {
  readonly subject: PictureSubject;
  readonly id: number;
  /** The number of the picture in its subject. */
  readonly number: number;
  readonly variant: Variant;
  readonly extension: Extension;
}

/** Parses the name of a private use; undefined for other names. */
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

/** The URL path of a file. */
export const pathOf = (name: string): string => UPLOADED_PICTURES_PATH + name;

/** Parses a file name; undefined for other names. */
export function parseName(name: string): PictureName | undefined {
  const [, hash, variant, extension] = NAME.exec(name) ?? [];
  if (hash === undefined) return undefined;
  return { hash, variant: variant as Variant, extension: extension as Extension };
}

/** The hash in the path of a picture; undefined for other paths or URLs. */
export const hashOfPath = (path: string): string | undefined =>
  path.startsWith(UPLOADED_PICTURES_PATH)
    ? parseName(path.slice(UPLOADED_PICTURES_PATH.length))?.hash
    : undefined;

/** The private use in a path, with or without a signature; undefined for other paths or URLs. */
export function privateUseOfPath(path: string): PrivateName | undefined {
  if (!path.startsWith(UPLOADED_PICTURES_PATH)) return undefined;
  const [name = ''] = path.slice(UPLOADED_PICTURES_PATH.length).split('?');
  return parsePrivateName(name);
}

/**
 * The path of a private use, which reveals nothing about the content of the picture.
 * @param path of the picture's file
 * @returns undefined for other paths
 */
export function privatePathOf(
  path: string,
  { subject, id, number }: PictureUseKey,
): string | undefined {
  const name = path.startsWith(UPLOADED_PICTURES_PATH)
    ? parseName(path.slice(UPLOADED_PICTURES_PATH.length))
    : undefined;
  return name && pathOf(`${subject}-${id}-${number}-${name.variant}.${name.extension}`);
}
