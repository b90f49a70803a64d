import { html, type Html, type Piece } from '../../web/html';
import { badge, definitions, sectionHead } from '../../web/components';
import { formatBytes, formatNumber } from '../../web/format';
import { type ConsoleSession } from '../access/console-sessions.service';
import { CONSOLE } from '../paths';
import { type Health, type ReplicaHealth } from './health.service';

/** The page warns below this share of free disk space. */
const MIN_FREE_SHARE = 0.1;

/** State of the service and of what it needs, with a badge on everything that needs attention. */
export function healthPart(session: ConsoleSession, health: Health): Html {
  const { today: words } = session.words;
  const write = (value: number): string => formatNumber(session.messages.lang, value);
  const { database, knownMigrations, disk, pictures, redis } = health;
  const warn = (text: Piece, isWarning: boolean): Piece =>
    isWarning ? html`${text} ${badge(words.attention, 'warn')}` : text;
  const replica = ({ name, isUsable, lagSeconds }: ReplicaHealth): Html =>
    html`<div>${warn(words.replica(name, lagSeconds?.toFixed(1)), !isUsable)}</div>`;
  const pending = database ? knownMigrations - database.migrations : 0;
  return html`${sectionHead(words.health, { href: CONSOLE.settings, label: session.words.areas.settings })}
  ${definitions([
    ['Commonplace', health.version],
    ['Node.js', process.version],
    ['PostgreSQL', database?.postgres],
    [
      words.migrations,
      pending > 0
        ? warn(words.pending(pending), true)
        : database && words.applied(database.migrations),
    ],
    [words.database, database && formatBytes(database.bytes)],
    [
      words.connections,
      database && words.of(write(database.connections), write(database.maxConnections)),
    ],
    [words.replicas, health.replicas.length > 0 ? health.replicas.map(replica) : words.noReplicas],
    ['Redis', warn(words.redis[redis], redis === 'unavailable')],
    [
      words.disk,
      disk &&
        warn(
          words.free(
            formatBytes(disk.free),
            formatBytes(disk.total),
            Math.round((disk.free / disk.total) * 100),
          ),
          disk.free < disk.total * MIN_FREE_SHARE,
        ),
    ],
    [words.pictures, pictures && words.files(write(pictures.count), formatBytes(pictures.bytes))],
    [words.backup, health.backup ?? words.noBackup],
  ])}`;
}
