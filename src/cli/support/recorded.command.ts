import { CommandRunner, Option } from './command';

/** Default name to record. */
export const RECORDED_NAME = 'administrator';

/** Option of a command that records who made the change. */
export interface RecordedOptions {
  readonly by?: string;
}

/** Base class for commands that record a name with a decision or change. */
export abstract class RecordedCommand extends CommandRunner {
  @Option({
    flags: '--by <name>',
    description: `name to record (default: ${RECORDED_NAME})`,
  })
  parseBy(value: string): string {
    return value;
  }
}
