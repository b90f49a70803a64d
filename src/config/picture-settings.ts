import { IsInt, IsOptional, IsString, Matches, Max, Min, MinLength } from 'class-validator';
import { RequestSettings } from './request-settings';
import { HTTP_ADDRESS, Origin, IntegerSetting } from './setting-types';

/** Settings of uploaded pictures; part of `Settings`. */
export class PictureSettings extends RequestSettings {
  /** Number of pictures that are stored at once, half of them for one address; others wait. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(100)
  MAX_UPLOADS = 8;

  /** Number of picture uploads of one user that are received and processed at once; others wait. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(100)
  MAX_UPLOADS_PER_USER = 2;

  /** Folder for uploads and large bodies in progress; default `uploads` below DATA_DIR. */
  @IsOptional()
  @IsString()
  UPLOADS_DIR?: string;

  /** Folder for the pictures of users; default `pictures` below DATA_DIR. */
  @IsOptional()
  @IsString()
  PICTURES_DIR?: string;

  /** S3 bucket for the pictures of users, instead of a folder. */
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
    message: 'PICTURES_S3_BUCKET must be the name of a bucket',
  })
  PICTURES_S3_BUCKET?: string;

  /** Address of the S3 service; default is Amazon's. */
  @IsOptional()
  @Origin()
  @Matches(HTTP_ADDRESS, { message: 'PICTURES_S3_ENDPOINT must be an http or https address' })
  PICTURES_S3_ENDPOINT?: string;

  /** Region of the bucket. */
  @Matches(/^[a-z0-9-]+$/, { message: 'PICTURES_S3_REGION must be the name of a region' })
  PICTURES_S3_REGION = 'us-east-1';

  /** Access key for the bucket. */
  @IsOptional()
  @IsString()
  PICTURES_S3_ACCESS_KEY_ID?: string;

  /** Secret of the access key. */
  @IsOptional()
  @IsString()
  PICTURES_S3_SECRET_ACCESS_KEY?: string;

  /** Secret that signs addresses of private pictures; default is one stored in the database. */
  @IsOptional()
  @MinLength(32)
  PICTURES_SECRET?: string;

  /** Maximum lifetime of the address of a private picture, in seconds. */
  @IntegerSetting()
  @IsInt()
  @Min(60)
  @Max(604800)
  PICTURES_SIGNED_SECONDS = 3600;

  /** Maximum size of all pictures of a user, with unused ones until they are deleted, in MB (D123). */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  USER_PICTURES_MB = 1000;
}

/** Picture settings without a default. */
export const PICTURE_SETTINGS_UNSET = [
  'UPLOADS_DIR',
  'PICTURES_DIR',
  'PICTURES_S3_BUCKET',
  'PICTURES_S3_ENDPOINT',
  'PICTURES_S3_ACCESS_KEY_ID',
  'PICTURES_S3_SECRET_ACCESS_KEY',
  'PICTURES_SECRET',
] as const;

/** Errors in the combination of picture settings. */
export function pictureSettingErrors(settings: PictureSettings): string[] {
  const key = [settings.PICTURES_S3_ACCESS_KEY_ID, settings.PICTURES_S3_SECRET_ACCESS_KEY];
  if (settings.PICTURES_S3_BUCKET === undefined || !key.includes(undefined)) return [];
  return ['PICTURES_S3_BUCKET needs PICTURES_S3_ACCESS_KEY_ID and PICTURES_S3_SECRET_ACCESS_KEY'];
}
