import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { MovieSettings } from './movie-settings';
import { IntegerSetting } from './setting-types';

/** Settings of imports and exports that a server does; part of all settings. */
export class TransferSettings extends MovieSettings {
  /** Folder that their files are in; `transfer` below DATA_DIR when not given. */
  @IsOptional()
  @IsString()
  TRANSFER_DIR?: string;

  /**
   * MB of memory that the process of a job may take: one that needs more fails. With 0 jobs run
   * inside the server's own process, without a limit.
   */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65_536)
  JOB_MEMORY_MB = 400;
}

/** Those of them without a default. */
export const TRANSFER_SETTINGS_UNSET = ['TRANSFER_DIR'] as const;
