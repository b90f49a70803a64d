import { type Channel } from '../workers/channel';
import { type WriteMark, type WriteMarks } from './write-marks';

const SET = 'writes.set';
const FIND = 'writes.find';

/** Remembers writes in the parent process, for a worker (`WORKERS`). */
export class ParentWriteMarks implements WriteMarks {
  constructor(private readonly channel: Channel) {}

  async set(caller: string, position: string): Promise<void> {
    await this.channel.request(SET, [caller, position]);
  }

  async find(caller: string): Promise<WriteMark | undefined> {
    return (await this.channel.request<WriteMark | null>(FIND, caller)) ?? undefined;
  }
}

/** Answers the {@link ParentWriteMarks} of a worker; for the parent process. */
export function handleWriteMarkRequests(channel: Channel, marks: WriteMarks): void {
  channel.handle(SET, async (payload) => {
    await marks.set(...(payload as [string, string]));
    return null;
  });
  channel.handle(FIND, async (caller) => (await marks.find(caller as string)) ?? null);
}
