import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { MovieSettings } from './movie-settings';
import { IntegerSetting } from './setting-types';

/** Settings of import and export jobs; part of `Settings`. */
export class TransferSettings extends MovieSettings {
  /** Folder for the files of jobs; default `transfer` below DATA_DIR. */
  @IsOptional()
  @IsString()
  TRANSFER_DIR?: string;

  /**
   * Memory limit of a job's process in MB: a job that needs more fails. With 0 jobs run inside the
   * server process, without a limit.
   */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65_536)
  JOB_MEMORY_MB = 400;
}

/** Transfer settings without a default. */
export const TRANSFER_SETTINGS_UNSET = ['TRANSFER_DIR'] as const;
