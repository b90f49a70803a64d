import { Injectable } from '@nestjs/common';
import { ApiError } from '../api/errors/error-codes';
import { type TransactionHooks } from '../database/database';
import { isNumericUid, isUidText } from './uid';
import { UsersRepository, type UserKey } from './users.repository';

/** Maximum length of a uid and of a name, in UTF-16 code units. */
const MAX_LENGTH = 100;

@Injectable()
export class UsersService {
  constructor(private readonly users: UsersRepository) {}

  /**
   * A user by uid or numeric id.
   * @throws ApiError 6008 when not found
   */
  async byName(name: string): Promise<UserKey> {
    const user = await this.users.byName(name);
    if (!user) throw new ApiError('peopleNotFound', { detail: 'user not found' });
    return user;
  }

  /** Creates a user. @throws Error when the name is invalid, or the uid is invalid or in use */
  async create(uid: string, name: string, hooks?: TransactionHooks): Promise<UserKey> {
    if (!isUidText(uid) || isNumericUid(uid)) {
      throw new Error(
        `invalid uid: ${uid}; use letters, digits, "-", "_" and ".", not digits only or dots only`,
      );
    }
    if (uid.length > MAX_LENGTH) throw new Error(`a uid has at most ${MAX_LENGTH} characters`);
    if (name.trim() === '' || name.length > MAX_LENGTH)
      throw new Error(`a name has 1 to ${MAX_LENGTH} characters, not only spaces`);
    const existing = await this.users.byName(uid);
    if (existing) throw new Error(`the uid ${uid} is already in use`);
    const id = await this.users.insertUser(uid, name, hooks);
    if (id === undefined) throw new Error(`the uid ${uid} is already in use`);
    return { id, uid };
  }
}
