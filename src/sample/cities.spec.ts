import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface City {
  readonly id: string;
  readonly name: string;
  readonly uid: string;
  readonly parent: string;
  readonly habitable: 'yes' | 'no';
  readonly time_zone: string;
}

const CITIES = readFileSync(join(__dirname, 'data/locs.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as City);
const UIDS = new Map(CITIES.map((city) => [city.uid, city]));

// Number of prefecture-level divisions by province: 333 in total, without the four municipalities.
const PREFECTURES = {
  hebei: 11,
  shanxi: 11,
  neimenggu: 12,
  liaoning: 14,
  jilinsheng: 9,
  heilongjiang: 13,
  jiangsu: 13,
  zhejiang: 11,
  anhui: 16,
  fujian: 9,
  jiangxi: 11,
  shandong: 16,
  henan: 17,
  hubei: 13,
  hunan: 14,
  guangdong: 21,
  guangxi: 14,
  hainan: 4,
  sichuan: 21,
  guizhou: 9,
  yunnan: 16,
  xizang: 7,
  shaanxi: 10,
  gansu: 14,
  qinghai: 8,
  ningxia: 5,
  xinjiang: 14,
};
const MUNICIPALITIES = ['beijing', 'shanghai', 'tianjin', 'chongqing'];

/** Cities of old clients that are not at prefecture level. */
const BELOW = ['laiwu', 'shihezi'];

const below = (parent: string) => CITIES.filter((city) => city.parent === parent);

describe('cities of the sample', () => {
  it('have unique ids and uids, and no empty members', () => {
    expect(new Set(CITIES.map(({ id }) => id)).size).toBe(CITIES.length);
    expect(UIDS.size).toBe(CITIES.length);
    for (const { parent, ...city } of CITIES) {
      expect(Object.keys(city).sort()).toEqual(['habitable', 'id', 'name', 'time_zone', 'uid']);
      expect(Object.values(city).every((text) => typeof text === 'string' && text)).toBe(true);
      expect(city.id).toMatch(/^[1-9]\d{5}$/);
      expect(city.uid).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(parent === '').toBe(city.uid === 'world');
    }
  });

  it('refer to existing parents; only cities without children are habitable', () => {
    for (const { uid, parent } of CITIES.filter((city) => city.uid !== 'world')) {
      expect([uid, UIDS.get(parent)?.habitable]).toEqual([uid, 'no']);
    }
    const parents = new Set(CITIES.map(({ parent }) => parent));
    for (const { uid, habitable } of CITIES) {
      expect([uid, habitable]).toEqual([uid, parents.has(uid) ? 'no' : 'yes']);
    }
  });

  it('include all of mainland China at prefecture level and above, in its time zone', () => {
    const mainland = below('china');
    const live = mainland.filter(({ habitable }) => habitable === 'yes').map(({ uid }) => uid);
    expect(live.sort()).toEqual([...MUNICIPALITIES].sort());
    const provinces = mainland.filter(({ habitable }) => habitable === 'no').map(({ uid }) => uid);
    const counted = provinces.map((uid) => [
      uid,
      below(uid).filter((city) => !BELOW.includes(city.uid)).length,
    ]);
    expect(Object.fromEntries(counted)).toEqual(PREFECTURES);
    expect(Object.values(PREFECTURES).reduce((sum, count) => sum + count)).toBe(333);
    const all = [...mainland, ...provinces.flatMap(below)];
    expect(new Set(all.map((city) => city.time_zone))).toEqual(new Set(['Asia/Shanghai']));
  });

  it('have unique names in China, except for two real duplicates', () => {
    const names = CITIES.map(({ name }) => name);
    const repeated = names.filter((name, at) => names.indexOf(name) !== at);
    expect(repeated.sort()).toEqual(['吉林', '海南'].sort());
  });

  it.each([
    ['hongkong', 'Asia/Hong_Kong'],
    ['aomen', 'Asia/Macau'],
    ['taibei', 'Asia/Taipei'],
    ['tokyo', 'Asia/Tokyo'],
    ['london', 'Europe/London'],
    ['los-angeles', 'America/Los_Angeles'],
    ['vladivostok', 'Asia/Vladivostok'],
    ['vancouver', 'America/Vancouver'],
    ['perth', 'Australia/Perth'],
  ])('%s has the time zone of %s', (uid, zone) => {
    expect(UIDS.get(uid)?.time_zone).toBe(zone);
  });

  it('have time zones that exist', () => {
    for (const zone of new Set(CITIES.map((city) => city.time_zone))) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
    }
  });
});
