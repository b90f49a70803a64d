import { Injectable } from '@nestjs/common';
import { type CallingApplication, type Level } from '../api/access/access';
import { Database, statement } from '../database/database';
import { logoPathSql } from './application-logos';
import { mayBeClientId } from './tokens';

const CLIENT = statement(
  'oauth.client',
  `SELECT a.id, a.client_id, a.name, a.level, a.scopes, a.public, a.redirect_uris, a.owner_id,
     a.limit_per_hour, a.homepage, a.description, ${logoPathSql} AS logo, u.uid AS owner,
     a.blocked_at IS NOT NULL AS blocked, a.blocked_reason, a.blocked_contact,
     array(SELECT encode(s.hash, 'hex') FROM application_secrets s
       WHERE s.application_id = a.id AND (s.expires_at IS NULL OR s.expires_at > now())) AS secrets
   FROM applications a LEFT JOIN users u ON u.id = a.owner_id WHERE a.client_id = $1`,
);

/** An application as a client of the authorization server (RFC 6749). */
export interface Client extends CallingApplication {
  readonly name: string;
  /** Whether it is a public client, such as a native app or a page (RFC 6749, section 2.1). */
  readonly isPublic: boolean;
  readonly redirectUris: readonly string[];
  readonly blockedReason: string;
  readonly blockedContact: string;
  /** User who created it; undefined for an administrator. */
  readonly ownerId: number | undefined;
  /** Uid of that user. */
  readonly owner: string | undefined;
  /** An address with https; empty for none. */
  readonly homepage: string;
  readonly description: string;
  /** Path of its logo; undefined without one. */
  readonly logo: string | undefined;
  /** SHA-256 of each secret that is valid now. */
  readonly secrets: readonly Buffer[];
}

interface ClientRow {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly level: Level;
  readonly scopes: string[];
  readonly public: boolean;
  readonly redirect_uris: string[];
  readonly owner_id: string | null;
  readonly owner: string | null;
  readonly homepage: string;
  readonly description: string;
  readonly logo: string | null;
  readonly limit_per_hour: number | null;
  readonly blocked: boolean;
  readonly blocked_reason: string;
  readonly blocked_contact: string;
  readonly secrets: string[];
}

@Injectable()
export class ClientsRepository {
  constructor(private readonly database: Database) {}

  /** A client by its `client_id`, which may be any text. */
  async client(clientId: string): Promise<Client | undefined> {
    if (!mayBeClientId(clientId)) return undefined;
    const [row] = await this.database.query<ClientRow>(CLIENT, [clientId]);
    return (
      row && {
        id: Number(row.id),
        clientId: row.client_id,
        name: row.name,
        level: row.level,
        limitPerHour: row.limit_per_hour,
        scopes: new Set(row.scopes),
        isPublic: row.public,
        redirectUris: row.redirect_uris,
        ownerId: row.owner_id === null ? undefined : Number(row.owner_id),
        owner: row.owner ?? undefined,
        homepage: row.homepage,
        description: row.description,
        logo: row.logo ?? undefined,
        blocked: row.blocked,
        blockedReason: row.blocked_reason,
        blockedContact: row.blocked_contact,
        secrets: row.secrets.map((hash) => Buffer.from(hash, 'hex')),
      }
    );
  }
}
