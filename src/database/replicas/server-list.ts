import { KnownTimeline } from './known-timeline';

/** The parts of an address with hosts: before, the hosts, and after them. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/;

const ATTRS = 'target_session_attrs';

interface Parsed {
  /** One address per host. */
  readonly urls: readonly string[];
  /** Value of `target_session_attrs`. */
  readonly attrs: string | undefined;
}

function parseUrl(url: string): Parsed {
  const [, start = '', hosts = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const attrs = parameters.find((parameter) => parameter.startsWith(`${ATTRS}=`));
  const rest = parameters.filter((parameter) => parameter !== attrs).join('&');
  const end = rest === '' ? path : `${path}?${rest}`;
  const urls = hosts.split(',').map((host) => start + host + end);
  return { urls, attrs: attrs?.slice(ATTRS.length + 1) };
}

/** Host and port of an address, for logs and metrics: without user and password. */
export const hostOf = (url: string): string => new URL(url).host;

/**
 * The servers of an address with several hosts (`postgres://user@a,b:5433/db`), of which one is the
 * primary. New connections go to the current one.
 */
export class ServerList {
  readonly urls: readonly string[];
  /** Whether a connection must fail on a server that is not the primary. */
  readonly requiresPrimary: boolean;
  readonly knownTimeline: KnownTimeline;
  private selected: string;
  private readonly followers = new Set<() => void>();

  /**
   * @param address with all hosts
   * @param dataDir DATA_DIR, for the timeline of the primary
   */
  constructor(
    readonly address: string,
    dataDir: string,
  ) {
    const { urls, attrs } = parseUrl(address);
    this.urls = urls;
    this.requiresPrimary = urls.length > 1 || attrs !== undefined;
    this.selected = urls[0] ?? address;
    this.knownTimeline = new KnownTimeline(dataDir);
  }

  /** Address of the server that is taken for the primary. */
  get current(): string {
    return this.selected;
  }

  /**
   * Makes a server the current one, and calls the functions of {@link onSelect} if it was not.
   *
   * @returns whether it was not the current one before
   */
  select(url: string): boolean {
    if (url === this.selected) return false;
    this.selected = url;
    for (const follower of [...this.followers]) follower();
    return true;
  }

  /** Calls `follower` when another server becomes the current one. @returns a function that ends it */
  onSelect(follower: () => void): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }
}
