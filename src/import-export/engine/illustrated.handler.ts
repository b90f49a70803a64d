import { type SqlExecutor } from '../../database/database';
import { hashOfPath, privateUseOfPath } from '../../images/picture-names';
import { RecordError, type RecordReader } from './record';
import { type Illustrated } from './record-pictures';
import { StoredHandler } from './stored.handler';

/**
 * Base class for handlers of texts with uploaded pictures. Responses of the API have addresses instead
 * of the stored paths: `BASE_URL` with the path for a public text, and `BASE_URL` with the signed path
 * of the use for a private one.
 */
export abstract class IllustratedHandler<R extends Illustrated> extends StoredHandler<R> {
  abstract override readonly name: 'annotation' | 'note';

  /** @param baseUrl address of this service, without a trailing slash; without it, paths only */
  constructor(private readonly baseUrl?: string) {
    super();
  }

  /**
   * Picture URLs of a record by number. Addresses of public pictures of this service become paths.
   * Those of private ones become paths in `resolveIds`, because the stored text has the path.
   */
  protected readPhotos(reader: RecordReader): Record<string, string> {
    const photos = reader.object('photos');
    const numbers = (photos?.names() ?? []).filter((name) => /^[1-9]\d{0,3}$/.test(name));
    return Object.fromEntries(
      numbers.map((name) => {
        const url = photos?.text(name) ?? '';
        const path = this.pathOf(url);
        return [name, hashOfPath(path) === undefined ? url : path];
      }),
    );
  }

  // Nobody may change the stored paths before the record is written.
  protected override needsStored(record: R): boolean {
    return super.needsStored(record) || this.hasPrivateUse(record);
  }

  /** @throws RecordError for the address of a private picture that the stored text does not have */
  override async resolveIds(executor: SqlExecutor, records: readonly R[]): Promise<R[]> {
    const last = await super.resolveIds(executor, records);
    const signed = last.filter((record) => this.hasPrivateUse(record));
    if (signed.length === 0) return last;
    const stored = await this.load(executor, signed);
    return last.map((record) => {
      const existing = stored.get(String(record.id));
      return existing ? this.withStoredPaths(record, existing) : record;
    });
  }

  private withStoredPaths(record: R, existing: R): R {
    const photos = Object.entries(record.photos).map(([number, url]) => {
      const use = privateUseOfPath(this.pathOf(url));
      const path = existing.photos[number] ?? '';
      // Earlier versions stored such addresses.
      if (use === undefined || url === path) return [number, url] as const;
      const isOwn =
        use.subject === this.name && use.id === record.id && use.number === Number(number);
      if (isOwn && hashOfPath(path) !== undefined) return [number, path] as const;
      throw new RecordError(
        `photos.${number} is the address of a private picture that the stored ${this.name} does not have`,
      );
    });
    return { ...record, photos: Object.fromEntries(photos) };
  }

  private hasPrivateUse({ photos }: R): boolean {
    return Object.values(photos).some((url) => privateUseOfPath(this.pathOf(url)) !== undefined);
  }

  /** The path of an address of this service; other addresses stay unchanged. */
  private pathOf(url: string): string {
    const { baseUrl } = this;
    return baseUrl !== undefined && url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
  }
}
