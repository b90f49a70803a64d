import { dayWriter } from '../web/days';

/** A day of the sample: so many from today, or the next of a weekday, which may be today. */
export type RelativeDay =
  | { readonly day: number }
  /** 1 is Monday, 7 is Sunday; `week` is so many weeks later. */
  | { readonly weekday: number; readonly week?: number };

/** A time of the sample; `time` is `HH:mm` by the clocks of its place. */
export type RelativeTime = RelativeDay & { readonly time: string };

/** An end: so many days after the day of the beginning. */
export interface RelativeEnd {
  readonly after: number;
  readonly time: string;
}

const DAY = 24 * 3600 * 1000;

const civil = (day: string, time = '00:00'): number => Date.parse(`${day}T${time}:00Z`);

/** A day so many days later; days are `yyyy-MM-dd`. */
export function addDays(day: string, days: number): string {
  return new Date(civil(day) + days * DAY).toISOString().slice(0, 10);
}

/** The day `yyyy-MM-dd` that a relative day is, seen from `today`. */
export function dayOf(relative: RelativeDay, today: string): string {
  if ('day' in relative) return addDays(today, relative.day);
  const weekday = new Date(civil(today)).getUTCDay();
  return addDays(today, ((relative.weekday - weekday + 7) % 7) + 7 * (relative.week ?? 0));
}

/** Days and times at one moment in one time zone (an IANA name). */
export class Almanac {
  /** The day it is there, `yyyy-MM-dd`. */
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
   * The moment at which clocks show a time. Of two, when clocks go back, the first; of none, when
   * they go forward, the one that the time would have been without that (RFC 5545, section 3.3.5).
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

  /** How far clocks are ahead of UTC, in ms. */
  private offset(moment: number): number {
    const second = Math.floor(moment / 1000) * 1000;
    return Date.parse(`${this.writer.format(second).replace(' ', 'T')}Z`) - second;
  }
}

function writerOf(timeZone: string): Intl.DateTimeFormat {
  // Swedish times are ISO times.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
}

/** Writes moments as the service does, `yyyy-MM-dd HH:mm:ss` in a time zone (D1). */
export function timeWriter(timeZone: string): (moment: Date) => string {
  const writer = writerOf(timeZone);
  return (moment) => writer.format(moment);
}
