import { IsInt, IsOptional, IsString, Matches, Max, Min, MinLength } from 'class-validator';
import { RequestSettings } from './request-settings';
import { HTTP_ADDRESS, Origin, IntegerSetting } from './setting-types';

/** Settings of pictures that users upload; part of all settings. */
export class PictureSettings extends RequestSettings {
  /** Requests with pictures, received as a whole, that are processed at once; others wait. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(100)
  MAX_UPLOADS = 8;

  /** Requests with pictures of one user that are received and processed at once; others wait. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(100)
  MAX_UPLOADS_PER_USER = 2;

  /** Folder that pictures are received into; `uploads` below DATA_DIR when not given. */
  @IsOptional()
  @IsString()
  UPLOADS_DIR?: string;

  /** Folder for the pictures of users; `pictures` below DATA_DIR when not given. */
  @IsOptional()
  @IsString()
  PICTURES_DIR?: string;

  /** S3 bucket for the pictures of users, instead of a folder. */
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
    message: 'PICTURES_S3_BUCKET must be the name of a bucket',
  })
  PICTURES_S3_BUCKET?: string;

  /** Address of the S3 service; Amazon's own when not given. */
  @IsOptional()
  @Origin()
  @Matches(HTTP_ADDRESS, { message: 'PICTURES_S3_ENDPOINT must be an http or https address' })
  PICTURES_S3_ENDPOINT?: string;

  /** Region of the bucket. */
  @Matches(/^[a-z0-9-]+$/, { message: 'PICTURES_S3_REGION must be the name of a region' })
  PICTURES_S3_REGION = 'us-east-1';

  /** Key for the bucket; without it, what the machine's environment gives is used. */
  @IsOptional()
  @IsString()
  PICTURES_S3_ACCESS_KEY_ID?: string;

  /** Secret of that key. */
  @IsOptional()
  @IsString()
  PICTURES_S3_SECRET_ACCESS_KEY?: string;

  /** What addresses of private pictures are signed with; one kept in the database if not given. */
  @IsOptional()
  @MinLength(32)
  PICTURES_SECRET?: string;

  /** Seconds that the address of a private picture works at most. */
  @IntegerSetting()
  @IsInt()
  @Min(60)
  @Max(604800)
  PICTURES_SIGNED_SECONDS = 3600;
}

/** Those of them without a default. */
export const PICTURE_SETTINGS_UNSET = [
  'UPLOADS_DIR',
  'PICTURES_DIR',
  'PICTURES_S3_BUCKET',
  'PICTURES_S3_ENDPOINT',
  'PICTURES_S3_ACCESS_KEY_ID',
  'PICTURES_S3_SECRET_ACCESS_KEY',
  'PICTURES_SECRET',
] as const;
