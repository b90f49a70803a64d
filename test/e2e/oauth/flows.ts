import { type Level } from '../../../src/api/access/access';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { type Harness } from '../../harness';
import { REDIRECT, type TestClient } from './protocol';

export * from './protocol';

export interface ClientOptions {
  readonly isPublic?: boolean;
  readonly scopes?: readonly string[];
  readonly level?: Level;
  readonly redirectUris?: readonly string[];
}

/** A fresh application. */
export async function aClient(
  harness: Harness,
  { redirectUris = [REDIRECT], ...others }: ClientOptions = {},
): Promise<TestClient & { readonly id: number }> {
  const applications = harness.app.get(ApplicationsService, { strict: false });
  const made = await applications.create({ name: 'Client', redirectUris, ...others });
  return { id: made.id, clientId: made.clientId, secret: made.clientSecret };
}
