import { addDays, RelativeTimeResolver, dayOf, timeWriter } from './relative-times';

const SHANGHAI = 'Asia/Shanghai';
const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

describe('days', () => {
  it.each([
    ['2026-12-31', 1, '2027-01-01'],
    ['2027-01-01', -1, '2026-12-31'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2027-02-28', 1, '2027-03-01'],
    ['2026-11-21', 365, '2027-11-21'],
    ['2026-11-21', 0, '2026-11-21'],
  ])('%s and %d days is %s', (day, days, expected) => {
    expect(addDays(day, days)).toBe(expected);
  });

  // 2026-12-28 is a Monday, 2027-01-03 a Sunday.
  it.each([
    ['2026-12-28', 1, 0, '2026-12-28'],
    ['2026-12-28', 7, 0, '2027-01-03'],
    ['2026-12-29', 1, 0, '2027-01-04'],
    ['2026-12-31', 6, 0, '2027-01-02'],
    ['2026-12-31', 6, 1, '2027-01-09'],
    ['2027-01-02', 6, 0, '2027-01-02'],
    ['2027-01-03', 6, 0, '2027-01-09'],
    ['2027-01-03', 7, 0, '2027-01-03'],
    ['2027-01-03', 7, 2, '2027-01-17'],
  ])('from %s, weekday %d after %d weeks is %s', (today, weekday, week, expected) => {
    expect(dayOf({ weekday, week }, today)).toBe(expected);
  });
});

describe('times', () => {
  it.each([
    ['just before midnight in Shanghai', '2026-12-31T15:59:59Z', SHANGHAI, '2026-12-31'],
    ['at midnight in Shanghai', '2026-12-31T16:00:00Z', SHANGHAI, '2027-01-01'],
    ['the same moment in New York', '2026-12-31T16:00:00Z', NEW_YORK, '2026-12-31'],
    ['after New Year in Berlin', '2026-12-31T23:30:00Z', BERLIN, '2027-01-01'],
  ])('%s, the day is correct', (_name, now, zone, today) => {
    expect(new RelativeTimeResolver(new Date(now), zone).today).toBe(today);
  });

  it.each([
    ['the evening of the same day', SHANGHAI, '2026-12-31', '19:30', '2026-12-31T11:30:00.000Z'],
    ['midnight at the end of a year', SHANGHAI, '2027-01-01', '00:00', '2026-12-31T16:00:00.000Z'],
    ['summer time', BERLIN, '2027-07-01', '19:30', '2027-07-01T17:30:00.000Z'],
    ['winter time', BERLIN, '2027-01-01', '19:30', '2027-01-01T18:30:00.000Z'],
    ['before clocks go forward', BERLIN, '2027-03-28', '01:59', '2027-03-28T00:59:00.000Z'],
    ['an hour that is left out', BERLIN, '2027-03-28', '02:30', '2027-03-28T01:30:00.000Z'],
    ['after clocks went forward', BERLIN, '2027-03-28', '03:00', '2027-03-28T01:00:00.000Z'],
    ['the evening of that day', BERLIN, '2027-03-28', '19:30', '2027-03-28T17:30:00.000Z'],
    ['an hour that comes twice', BERLIN, '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
    ['after clocks went back', BERLIN, '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
    ['the evening before', NEW_YORK, '2026-10-31', '23:00', '2026-11-01T03:00:00.000Z'],
    ['the evening after', NEW_YORK, '2026-11-01', '23:00', '2026-11-02T04:00:00.000Z'],
    ['half hours', 'Asia/Kolkata', '2027-01-01', '09:00', '2027-01-01T03:30:00.000Z'],
  ])('%s is resolved in %s: %s %s', (_name, zone, day, time, expected) => {
    const noon = new Date(`${day}T12:00:00Z`);
    expect(new RelativeTimeResolver(noon, zone).begin({ day: 0, time }).toISOString()).toBe(
      expected,
    );
  });

  it('ends are whole days after the begin, across clock changes', () => {
    const almanac = new RelativeTimeResolver(new Date('2027-03-26T12:00:00Z'), BERLIN);
    const begin = { weekday: 6, time: '18:00' };
    expect(almanac.begin(begin).toISOString()).toBe('2027-03-27T17:00:00.000Z');
    expect(almanac.end(begin, { after: 0, time: '22:00' }).toISOString()).toBe(
      '2027-03-27T21:00:00.000Z',
    );
    expect(almanac.end(begin, { after: 1, time: '22:00' }).toISOString()).toBe(
      '2027-03-28T20:00:00.000Z',
    );
  });

  it('are written in the time zone of the service', () => {
    const moment = new Date('2026-12-31T16:05:09Z');
    expect(timeWriter(SHANGHAI)(moment)).toBe('2027-01-01 00:05:09');
    expect(timeWriter(NEW_YORK)(moment)).toBe('2026-12-31 11:05:09');
  });
});
