import { dayWriter } from '../web/days';

/** A relative day: a number of days from today, or the next weekday, which may be today. */
export type RelativeDay =
  | { readonly day: number }
  /** 1 is Monday, 7 is Sunday; `week` adds weeks. */
  | { readonly weekday: number; readonly week?: number };

/** A relative time; `time` is local time, `HH:mm`. */
export type RelativeTime = RelativeDay & { readonly time: string };

/** A relative end: a number of days after the beginning. */
export interface RelativeEnd {
  readonly after: number;
  readonly time: string;
}

const DAY = 24 * 3600 * 1000;

const civil = (day: string, time = '00:00'): number => Date.parse(`${day}T${time}:00Z`);

/** Adds days to a day; days are `yyyy-MM-dd`. */
export function addDays(day: string, days: number): string {
  return new Date(civil(day) + days * DAY).toISOString().slice(0, 10);
}

/** Resolves a relative day from `today` to `yyyy-MM-dd`. */
export function dayOf(relative: RelativeDay, today: string): string {
  if ('day' in relative) return addDays(today, relative.day);
  const weekday = new Date(civil(today)).getUTCDay();
  return addDays(today, ((relative.weekday - weekday + 7) % 7) + 7 * (relative.week ?? 0));
}

/** Resolves relative days and times in an IANA time zone. */
export class RelativeTimeResolver {
  /** The current local day, `yyyy-MM-dd`. */
  readonly today: string;
  private readonly writer: Intl.DateTimeFormat;

  constructor(now: Date, timeZone: string) {
    this.today = dayWriter(timeZone)(now);
    this.writer = writerOf(timeZone);
  }

  day(relative: RelativeDay): string {
    return dayOf(relative, this.today);
  }

  begin(relative: RelativeTime): Date {
    return this.at(this.day(relative), relative.time);
  }

  end(begin: RelativeTime, { after, time }: RelativeEnd): Date {
    return this.at(addDays(this.day(begin), after), time);
  }

  /**
   * The instant of a local time. When clocks go back and it occurs twice, the first time; when it
   * is skipped, the instant with the previous offset (RFC 5545, section 3.3.5).
   */
  private at(day: string, time: string): Date {
    const shown = civil(day, time);
    const [before, after] = [shown - DAY, shown + DAY].map((near) => shown - this.offset(near));
    const first = before ?? shown;
    const second = after ?? first;
    return new Date(this.shows(second, shown) && !this.shows(first, shown) ? second : first);
  }

  private shows(moment: number, shown: number): boolean {
    return moment + this.offset(moment) === shown;
  }

  /** UTC offset in ms. */
  private offset(moment: number): number {
    const second = Math.floor(moment / 1000) * 1000;
    return Date.parse(`${this.writer.format(second).replace(' ', 'T')}Z`) - second;
  }
}

function writerOf(timeZone: string): Intl.DateTimeFormat {
  // The Swedish locale uses the ISO format.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
}

/** Formats instants like the API, `yyyy-MM-dd HH:mm:ss` in a time zone (D1). */
export function timeWriter(timeZone: string): (moment: Date) => string {
  const writer = writerOf(timeZone);
  return (moment) => writer.format(moment);
}
