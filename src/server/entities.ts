import { type EntityClass } from '../database/data-source';
import { AccessToken } from '../oauth/access-token.entity';
import { User } from '../users/user.entity';

/** Entities of every area, for the data source. */
export const ENTITIES: readonly EntityClass[] = [User, AccessToken];
