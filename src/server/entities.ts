import { type EntityClass } from '../database/data-source';
import { AccessToken } from '../oauth/access-token.entity';
import { User } from '../users/user.entity';

/** The TypeORM entities of every area. */
export const ENTITIES: readonly EntityClass[] = [User, AccessToken];
