import { opens, readCredential } from '#shared/platform/auth/credential.ts';
import { ensureSigningKey } from '#shared/platform/auth/key-rotation.ts';
import { type Role, SCOPES, type Scope } from '#shared/platform/auth/permissions.ts';
import { parseClientId, parseClientSecret, parseKey } from '#shared/platform/auth/token-format.ts';
import { ensureSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { createApiKey, createLinkToken, createServiceAccount } from './issue.ts';
import { organizations } from './organization.ts';

type NewOrganization = { organizationId: string; clientId: string; clientSecret: string; apiKey: string };
type Bootstrapped = NewOrganization & { linkToken: string };

type Prepare = (table: Table) => Promise<void>;

const DAY_SECONDS = 86_400;

/**
 * Makes a deployment usable: the key that signs access tokens, an organization, its administrator, an API key with
 * every API scope and a link token for scanners. If the credentials of an earlier call still work, only the link token
 * is new. `prepare` gives a new organization what it begins with.
 */
export async function bootstrap(
  connections: Connections,
  earlier?: NewOrganization,
  prepare?: Prepare,
): Promise<Bootstrapped> {
  await Promise.all([ensureSigningKey(connections), ensureSealingKey(connections)]);
  const organization =
    earlier && (await stillOpens(connections, earlier))
      ? earlier
      : await createOrganization(connections, 'First organization', { prepare });
  const { organizationId, clientId, clientSecret, apiKey } = organization;
  const { linkToken } = await createLinkToken(openTable(connections.dynamo, organizationId), {
    kind: 'scanner',
    maxUses: 100,
    expiresAt: inSeconds(DAY_SECONDS),
    zone: null,
    group: null,
  });
  return { organizationId, clientId, clientSecret, apiKey, linkToken };
}

/** Creates an organization, a service account that administers it and an API key with every API scope. */
export async function createOrganization(
  { dynamo }: Pick<Connections, 'dynamo'>,
  name: string,
  { role = 'admin', prepare }: { role?: Role; prepare?: Prepare | undefined } = {},
): Promise<NewOrganization> {
  const organization = await openTable(dynamo, GLOBAL_SCOPE).create(organizations, { name });
  const table = openTable(dynamo, organization.id);
  const account = await createServiceAccount(table, { name: 'administrator', role });
  const scopes = Object.keys(SCOPES) as Scope[];
  const key = await createApiKey(table, { name: 'every scope', scopes, expiresAt: null });
  await prepare?.(table);
  const { clientId, clientSecret } = account;
  return { organizationId: organization.id, clientId, clientSecret, apiKey: key.secret };
}

/** Whether both credentials work: the table may have been emptied, or they may have been revoked. */
async function stillOpens(
  { dynamo }: Connections,
  { clientId, clientSecret, apiKey }: NewOrganization,
): Promise<boolean> {
  const key = parseKey('exk', apiKey);
  const [client, secret] = [parseClientId(clientId), parseClientSecret(clientSecret)];
  if (!key || !client || !secret) return false;
  const [keyRow, clientRow] = await Promise.all([readCredential(dynamo, key), readCredential(dynamo, client)]);
  return keyRow !== undefined && opens(keyRow, key.secret) && clientRow !== undefined && opens(clientRow, secret);
}
