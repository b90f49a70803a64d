import { type AdminJob } from '../../admin/jobs.service';
import { type JobType } from '../../import-export/jobs/job';
import { badge } from '../../web/components';
import { type Html } from '../../web/html';
import { type ConsoleSession } from '../access/console-sessions.service';
import { type ConsoleMessages } from '../messages';

type TransferMessages = ConsoleMessages['transfers'];

/** The name of a type of records; the kind itself when it has none. */
export const kindName = ({ kinds }: TransferMessages, kind: string): string => kinds[kind] ?? kind;

/** What a job does: "Import · Books". */
export const jobTitle = (texts: TransferMessages, type: string, kind: string): string =>
  `${texts.types[type as JobType]} · ${kindName(texts, kind)}`;

export const stateBadge = ({ words }: ConsoleSession, { state }: AdminJob): Html => {
  const kind = state === 'failed' ? 'danger' : state === 'done' ? 'good' : undefined;
  return badge(words.transfers.states[state], kind);
};

/** Percent and time left of a running job; undefined while they are unknown. */
export function paceText(texts: TransferMessages, job: AdminJob): string | undefined {
  if (job.state !== 'running' || job.percent === undefined) return undefined;
  const { seconds_left = 0 } = job;
  const left = seconds_left > 0 ? `, ${texts.timeLeft(seconds_left)}` : '';
  return texts.percent(job.percent) + left;
}

export const isBusy = ({ state }: AdminJob): boolean => state === 'running' || state === 'waiting';

/** Columns of numbers. */
export const numbers = (titles: readonly string[]): { title: string; number: true }[] =>
  titles.map((title) => ({ title, number: true }));

/** The counts of outcomes of an import. */
export const outcomeTitles = (texts: TransferMessages): string[] => [
  texts.imported,
  texts.updated,
  texts.skipped,
  texts.failed,
];

export const recordsOf = ({ progress }: AdminJob): number =>
  progress.reduce((sum, { records }) => sum + records, 0);
