import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OperationError } from '../api/errors/error-codes';
import { type Actor } from '../audit/audit.service';
import { Settings } from '../config/settings';
import { FirstAdministratorRepository } from '../users/first-administrator.repository';
import { AdminUsersService } from './users.service';

/** Minutes for which the address is valid. */
const LIFETIME_MINUTES = 60;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Makes the first administrator with a one-time address. */
@Injectable()
export class FirstAdministratorService {
  constructor(
    private readonly keys: FirstAdministratorRepository,
    private readonly users: AdminUsersService,
    private readonly settings: Settings,
  ) {}

  hasAdministrator(): Promise<boolean> {
    return this.keys.hasAdministrator();
  }

  /**
   * A new one-time address, which replaces an earlier one; undefined when there is an
   * administrator already.
   */
  async createAddress(): Promise<string | undefined> {
    if (await this.keys.hasAdministrator()) return undefined;
    const key = randomBytes(24).toString('base64url');
    await this.keys.insertKey(hashOf(key), LIFETIME_MINUTES);
    return `${this.settings.baseUrl}/admin/setup?key=${key}`;
  }

  /** Whether the key makes an administrator now. */
  async isValid(key: string): Promise<boolean> {
    return (await this.keys.existsKey(hashOf(key))) && !(await this.keys.hasAdministrator());
  }

  /**
   * Makes the user an administrator. The key can be used once.
   * @throws OperationError for a used or expired key, or when there is an administrator
   */
  use(key: string, actor: Actor & { readonly id: number }): Promise<void> {
    return this.users.makeFirstAdministrator(actor, async (executor) => {
      const used = await this.keys.deleteKey(hashOf(key), executor);
      if (!used || (await this.keys.hasAdministrator(executor)))
        throw new OperationError('the address has expired or was used before');
    });
  }
}
