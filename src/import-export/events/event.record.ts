import { EVENT_TYPES } from '../../events/event-types';
import { missing, RecordError, RecordReader } from '../engine/record';
import { isRecordTimeBefore } from '../engine/record-time';
import { readUser, type UserRecord } from '../users/user.handler';

/** An event in a file: specification section 2.10, with its type and invitations. */
export interface EventRecord {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly image: string;
  readonly image_hlarge: string;
  readonly image_lmobile: string;
  /** Times in the format of the API. */
  readonly begin_time: string;
  readonly end_time: string;
  readonly address: string;
  readonly geo: string;
  /** In degrees with at most 7 decimals; null for an empty `geo`. */
  readonly lat: number | null;
  readonly lon: number | null;
  readonly city_id: number;
  readonly album: string;
  /** The name of an event type. Other words count as `others`. */
  readonly category: string;
  /** An omitted value keeps the stored one. */
  readonly private: boolean | undefined;
  readonly can_invite: boolean | undefined;
  /** User ids in ascending order. */
  readonly invited: readonly number[] | undefined;
  /** Imported counts, to which participations are added. */
  readonly participant_base: number;
  readonly wisher_base: number;
  readonly owner_id: number;
  /** The nested owner and city. */
  readonly owner?: UserRecord;
  readonly city_name?: string;
}

const WORDS = new Map(
  Object.entries(EVENT_TYPES).map(([word, number]) => [String(number), word] as const),
);

function readYesOrNo(reader: RecordReader, name: string): boolean | undefined {
  const text = reader.text(name);
  if (text === '') return undefined;
  if (text !== 'yes' && text !== 'no') throw new RecordError(`${name} must be yes or no`);
  return text === 'yes';
}

const GEO = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s+([+-]?\d{1,3}(?:\.\d+)?)\s*$/;

/** Rounds degrees to 7 decimals, about a centimetre. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

function readPlace(geo: string): { lat: number | null; lon: number | null } {
  if (geo.trim() === '') return { lat: null, lon: null };
  const [lat, lon] = (GEO.exec(geo) ?? []).slice(1).map(Number);
  if (lat === undefined || lon === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 180) {
    throw new RecordError('geo must be latitude and longitude, separated by a space');
  }
  return { lat: roundDegrees(lat), lon: roundDegrees(lon) };
}

function readTimes(reader: RecordReader): { begin_time: string; end_time: string } {
  const begin_time = reader.time('begin_time');
  if (begin_time === undefined) throw missing('begin_time');
  const end_time = reader.time('end_time') ?? begin_time;
  if (isRecordTimeBefore(end_time, begin_time))
    throw new RecordError('end_time must not be before begin_time');
  return { begin_time, end_time };
}

function readInvited(reader: RecordReader): number[] | undefined {
  if (!reader.has('invited')) return undefined;
  const ids = reader.list('invited').map((id) => new RecordReader({ id }, 'invited'));
  return [...new Set(ids.map((one) => one.requiredId('id')))].sort((one, other) => one - other);
}

/** The poster URL of a size, under both spellings of the member. */
const readPoster = (reader: RecordReader, size: string): string =>
  reader.text(`image-${size}`) || reader.text(`image_${size}`);

/** Parses an event. @throws RecordError with the reason */
export function parseEvent(value: unknown): EventRecord {
  const reader = new RecordReader(value);
  const inside = reader.object('owner');
  const owner = inside ? readUser(inside) : undefined;
  const owner_id = reader.id('owner_id') ?? owner?.id ?? reader.requiredId('owner_id');
  if (owner && owner.id !== owner_id) throw new RecordError('owner_id and owner.id differ');
  const category = reader.text('category').trim();
  const geo = reader.text('geo');
  return {
    id: reader.requiredId('id'),
    title: reader.requiredText('title'),
    content: reader.text('content'),
    image: reader.text('image'),
    image_hlarge: readPoster(reader, 'hlarge'),
    image_lmobile: readPoster(reader, 'lmobile'),
    ...readTimes(reader),
    address: reader.text('address'),
    geo,
    ...readPlace(geo),
    city_id: reader.requiredId('loc_id'),
    album: reader.text('album'),
    category: (WORDS.get(category) ?? category) || 'others',
    private: readYesOrNo(reader, 'is_priv'),
    can_invite: readYesOrNo(reader, 'can_invite'),
    invited: readInvited(reader),
    participant_base: reader.count('participant_count'),
    wisher_base: reader.count('wisher_count'),
    owner_id,
    ...(owner ? { owner } : {}),
    city_name: reader.text('loc_name'),
  };
}

/** The event in the form for comparison and export: with base counts, and ids of owner and city. */
export function eventWire(record: EventRecord): Record<string, unknown> {
  return {
    id: String(record.id),
    title: record.title,
    content: record.content,
    image: record.image,
    'image-hlarge': record.image_hlarge,
    'image-lmobile': record.image_lmobile,
    begin_time: record.begin_time,
    end_time: record.end_time,
    address: record.address,
    geo: record.geo,
    loc_id: String(record.city_id),
    album: record.album,
    category: record.category,
    is_priv: record.private ? 'yes' : 'no',
    can_invite: record.can_invite ? 'yes' : 'no',
    participant_count: record.participant_base,
    wisher_count: record.wisher_base,
    owner_id: String(record.owner_id),
    invited: record.invited ?? [],
  };
}
