import { instantOf } from './instants';

it.each([
  ['2014-05-06 07:08:09', 'Asia/Shanghai', '2014-05-05T23:08:09.000Z'],
  ['2014-07-01 00:00:00', 'America/New_York', '2014-07-01T04:00:00.000Z'],
  ['2014-01-01 00:00:00', 'America/New_York', '2014-01-01T05:00:00.000Z'],
  ['2014-01-01 00:00:00', 'UTC', '2014-01-01T00:00:00.000Z'],
  // Local mean time, before zones.
  ['0001-01-01 00:00:00', 'Asia/Shanghai', '0000-12-31T15:54:17.000Z'],
  ['0001-01-01 00:00:00', 'America/New_York', '0001-01-01T04:56:02.000Z'],
  ['0999-12-31 23:59:59', 'UTC', '0999-12-31T23:59:59.000Z'],
  ['9999-12-31 23:59:59', 'Asia/Shanghai', '9999-12-31T15:59:59.000Z'],
  ['', 'Asia/Shanghai', '1970-01-01T00:00:00.000Z'],
])('%j in %s is %s', (time, timeZone, expected) => {
  expect(instantOf(time, timeZone).toISOString()).toBe(expected);
});
