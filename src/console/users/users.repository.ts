import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';

const APPS = statement(
  'console.apps_of_user',
  `SELECT a.client_id, a.name, array_to_json(array_agg(DISTINCT s.scope)) AS scopes,
     to_char(max(g.created_at), 'YYYY-MM-DD') AS granted
   FROM grants g JOIN applications a ON a.id = g.application_id, unnest(g.scopes) AS s(scope)
   WHERE g.user_id = $1 AND g.revoked_at IS NULL GROUP BY a.id ORDER BY a.name`,
);

/** An application that a user has allowed. */
export interface AppOfUser {
  readonly client_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** `yyyy-MM-dd`. */
  readonly granted: string;
}

/** Reads the applications of users. */
@Injectable()
export class UserAppsRepository {
  constructor(private readonly database: Database) {}

  listApps(userId: number): Promise<AppOfUser[]> {
    return this.database.query<AppOfUser>(APPS, [userId]);
  }
}
