import { IsOptional, IsString } from 'class-validator';
import { MovieSettings } from './movie-settings';

/** Settings of imports and exports that a server does; part of all settings. */
export class TransferSettings extends MovieSettings {
  /** Folder that their files are in; `transfer` below DATA_DIR when not given. */
  @IsOptional()
  @IsString()
  TRANSFER_DIR?: string;
}

/** Those of them without a default. */
export const TRANSFER_SETTINGS_UNSET = ['TRANSFER_DIR'] as const;
