import { Injectable } from '@nestjs/common';
import { ALL_SCOPES, DEFAULT_SCOPES, type Level, type Scope } from '../api/access/access';
import { notFound, OperationError } from '../api/errors/error-codes';
import { cleanText } from '../api/input/text-input';
import { Database, nestHooks, type SqlExecutor, type TransactionHooks } from '../database/database';
import { type PictureRecord } from '../images/pictures.repository';
import { holdApplication, lockApplication } from './application-locks';
import { deleteLogo, replaceLogo } from './application-logos';
import { addSecret, endSecrets } from './application-secrets';
import {
  ApplicationsRepository,
  type ApplicationDetails,
  type ApplicationRow,
  type ApplicationSettings,
  type LogChange,
} from './applications.repository';
import { CallersService } from './callers.service';
import { grants } from './grants.repository';
import { OauthRepository, type TokenDetails } from './oauth.repository';
import { isRedirectUri } from './redirect-uris';
import { insertTestKey } from './test-keys';
import { hashSecret, makeClientId, makeSecret } from './tokens';

export interface NewApplication {
  readonly name: string;
  readonly level?: Level;
  readonly scopes?: readonly string[];
  readonly redirectUris?: readonly string[];
  /** Whether it is a public client, without a secret. */
  readonly isPublic?: boolean;
  readonly ownerId?: number;
}

/** A new client id. Its secret is only available now; public clients have none. */
export interface MadeKey {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** A new application. */
export interface MadeApplication extends MadeKey {
  readonly id: number;
  readonly name: string;
  readonly level: Level;
  readonly scopes: readonly Scope[];
}

export interface NewToken {
  readonly clientId: string;
  readonly userId?: number;
  readonly scopes: readonly string[];
  /** Seconds until it expires. */
  readonly ttl: number;
}

/** The user has the maximum number of applications. */
export class TooManyApplications extends Error {}

/** Maximum number of applications of one user. */
export const MAX_APPLICATIONS = 50;

/** Seconds for which the previous secret stays valid after a rotation: a week. */
export const SECRET_OVERLAP = 7 * 24 * 3600;

/** Removes duplicate scopes. @throws OperationError for a scope that does not exist */
export function checkScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter((scope) => !(ALL_SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new OperationError(
      `unknown scopes: ${unknown.join(', ')}; existing scopes: ${ALL_SCOPES.join(', ')}`,
    );
  }
  return [...new Set(scopes)] as Scope[];
}

const gone = (clientId: string): Error => notFound(`application not found: ${clientId}`);

/** Applications, their secrets and their tokens. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly applications: ApplicationsRepository,
    private readonly oauth: OauthRepository,
    private readonly callers: CallersService,
  ) {}

  /**
   * Creates an application. Without `scopes` it has the default scopes.
   *
   * @throws Error for an invalid scope or redirect URI, or too many applications
   */
  async create(
    wanted: NewApplication,
    hooks?: TransactionHooks,
    log?: LogChange<MadeApplication>,
  ): Promise<MadeApplication> {
    const { level = 'L1', redirectUris = [], isPublic = false, ownerId } = wanted;
    const wrong = redirectUris.find((uri) => !isRedirectUri(uri));
    if (wrong !== undefined) {
      throw new Error(
        `invalid redirect URI: ${wrong}; use https, or http on the loopback interface`,
      );
    }
    const name = cleanText(wanted.name);
    if (name === '') throw new Error('the name of the application is empty');
    const scopes = checkScopes(wanted.scopes ?? DEFAULT_SCOPES);
    const clientId = makeClientId();
    const clientSecret = isPublic ? undefined : makeSecret('clientSecret');
    return this.database.transaction(async (runner) => {
      if (ownerId !== undefined) {
        const count = await this.applications.countOf(runner, ownerId);
        if (count >= MAX_APPLICATIONS) throw new TooManyApplications('too many applications');
      }
      const row = { clientId, name, level, scopes, redirectUris, isPublic, ownerId };
      const id = await this.applications.insert(runner, row);
      if (clientSecret !== undefined) await addSecret(runner, id, hashSecret(clientSecret));
      const made = { id, clientId, clientSecret, name, level, scopes };
      await log?.(runner, made);
      return made;
    }, hooks);
  }

  /**
   * Creates the test key of an application: requests with it count apart, and may ask for errors
   * (D171). @returns undefined when it has one, is blocked, or is a test key itself
   * @throws OperationError 1001 when the application was deleted meanwhile
   */
  createTestKey(
    application: ApplicationDetails,
    log?: LogChange<MadeKey>,
  ): Promise<MadeKey | undefined> {
    const clientId = makeClientId();
    const clientSecret = application.public ? undefined : makeSecret('clientSecret');
    return this.database.transaction(async (runner) => {
      // A change of the application, which also changes its test key, comes before or after.
      if (!(await lockApplication(runner, application.id))) throw gone(application.client_id);
      const id = await insertTestKey(runner, application.id, clientId);
      if (id === undefined) return undefined;
      if (clientSecret !== undefined) await addSecret(runner, id, hashSecret(clientSecret));
      const made = { clientId, clientSecret };
      await log?.(runner, made);
      return made;
    });
  }

  /** An application with its history, or undefined. */
  details(clientId: string): Promise<ApplicationDetails | undefined> {
    return this.applications.details(clientId);
  }

  /** A user's applications, newest first. */
  listApplicationsOfOwner(ownerId: number): Promise<ApplicationRow[]> {
    return this.applications.listApplicationsOfOwner(ownerId);
  }

  /** Changes the settings of an application. @throws OperationError 1001 */
  async update(
    { id, client_id }: Pick<ApplicationRow, 'id' | 'client_id'>,
    settings: ApplicationSettings,
    log?: LogChange,
  ): Promise<void> {
    if (!(await this.applications.update(id, settings, log))) throw gone(client_id);
  }

  /** Replaces the logo of an application with a stored picture. @throws OperationError 1001 */
  replaceLogo(clientId: string, picture: PictureRecord, hooks?: TransactionHooks): Promise<void> {
    return this.database.transaction(async (executor) => {
      if (!(await replaceLogo(executor, clientId, picture))) throw gone(clientId);
    }, hooks);
  }

  /** Deletes the logo of an application, if it has one. @throws OperationError 1001 */
  deleteLogo(clientId: string, hooks?: TransactionHooks): Promise<void> {
    return this.database.transaction(async (executor) => {
      if (!(await deleteLogo(executor, clientId))) throw gone(clientId);
    }, hooks);
  }

  /**
   * Deletes an application with its secrets, tokens and usage, at once in every process. Blocked
   * applications stay. @returns whether it was deleted
   * @throws OperationError 1001 when it was deleted before
   */
  async delete(
    { id, client_id }: Pick<ApplicationRow, 'id' | 'client_id'>,
    log?: LogChange,
  ): Promise<boolean> {
    const result = await this.applications.delete(id, log);
    if (result === 'notFound') throw gone(client_id);
    this.callers.forget();
    return result === 'deleted';
  }

  /**
   * Creates a new secret. The current secret stays valid for `SECRET_OVERLAP` seconds. The previous
   * secret ends now, so that at most two are valid.
   * @throws OperationError 1001 when the application was deleted meanwhile
   */
  async rotateSecret(
    { id, client_id }: Pick<ApplicationRow, 'id' | 'client_id'>,
    hooks?: TransactionHooks,
  ): Promise<string> {
    const secret = makeSecret('clientSecret');
    await this.database.transaction(async (runner) => {
      const isFound = await endSecrets(runner, id, SECRET_OVERLAP);
      if (!isFound) throw gone(client_id);
      await addSecret(runner, id, hashSecret(secret));
    }, hooks);
    return secret;
  }

  /**
   * Issues an access token; only its hash is stored.
   *
   * @throws Error when the application is not found or not approved for a scope
   */
  async issue(
    { clientId, userId, scopes, ttl }: NewToken,
    hooks?: TransactionHooks,
  ): Promise<string> {
    const application = await this.oauth.application(clientId);
    if (!application) throw gone(clientId);
    const wanted = checkScopes(scopes);
    const refused = wanted.filter((scope) => !application.scopes.has(scope));
    if (refused.length > 0) {
      throw new OperationError(`the application is not approved for ${refused.join(', ')}`);
    }
    const token = makeSecret('accessToken');
    const expires = new Date(Date.now() + ttl * 1000);
    const hold: TransactionHooks = {
      begin: async (runner) => {
        if (!(await holdApplication(runner, application.id))) throw gone(clientId);
      },
    };
    await this.database.transaction(
      (runner) =>
        grants.addAccessToken(runner, [
          ...[hashSecret(token), application.id, userId ?? null, wanted, expires],
          null,
        ]),
      nestHooks(hold, hooks ?? {}),
    );
    return token;
  }

  /** A token as administrators see it. @param executor a transaction; defaults to the pool */
  findToken(token: string, executor?: SqlExecutor): Promise<TokenDetails | undefined> {
    return this.oauth.findTokenDetails(hashSecret(token), executor);
  }

  /** Revokes a token. @returns whether it existed */
  async revoke(token: string, hooks?: TransactionHooks): Promise<boolean> {
    const hash = hashSecret(token);
    const revoked = await this.oauth.revoke(hash, hooks);
    this.callers.forget(hash.toString('hex'));
    return revoked;
  }
}
