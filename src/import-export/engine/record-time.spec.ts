import { isRecordTimeBefore, isRecordTime } from './record-time';

it.each([
  '2013-12-25 22:09:04',
  '9999-12-31 23:59:59',
  '10000-01-01 04:59:59+00',
  '9999-12-31 20:00:00+00',
  '0001-12-31 15:54:17+00 BC',
  '0001-01-01 03:00:00+00',
])('%s is a time of a record', (text) => {
  expect(isRecordTime(text)).toBe(true);
});

it.each([
  '10000-01-01 04:59:59',
  '10000-01-02 04:59:59+00',
  '10000-01-01 24:00:00+00',
  '2013-12-25 22:09:04+00',
  '0001-12-31 15:54:17 BC',
  '0001-01-01 15:54:17+00 BC',
  '0001-12-31 15:54:17+00',
])('%s is none', (text) => {
  expect(isRecordTime(text)).toBe(false);
});

it('times are ordered by year', () => {
  const times = [
    '0001-12-31 15:54:17+00 BC',
    '0001-01-01 03:00:00',
    '2013-12-25 22:09:04',
    '2013-12-25 22:09:05',
    '9999-12-31 23:59:59',
    '10000-01-01 04:59:59+00',
  ];
  const ordered = [...times]
    .reverse()
    .sort((one, other) => (isRecordTimeBefore(one, other) ? -1 : 1));
  expect(ordered).toEqual(times);
});
