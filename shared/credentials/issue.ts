import { type Credential, credentialStands, issueSecret, putCredential } from '#shared/platform/auth/credential.ts';
import {
  type CredentialId,
  formatClientId,
  formatClientSecret,
  formatKey,
} from '#shared/platform/auth/token-format.ts';
import { type Place, takePlace } from '#shared/platform/quotas/places.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type ApiKey, apiKeys } from './api-key.ts';
import { type LinkToken, linkTokens } from './link-token.ts';
import { roleChecks } from './role.ts';
import { type ServiceAccount, serviceAccounts } from './service-account.ts';
import { staffWrites } from './staff.ts';

/**
 * A new record with its secret. Record and credential are written in one transaction; the secret itself is not stored.
 */
type WithSecret<T, K extends string> = T & Record<K, string>;

const unused = { lastUsedAt: null, status: 'active', revokedAt: null } as const;

export async function createApiKey(
  table: Table,
  { name, scopes, boundTo, expiresAt }: Pick<ApiKey, 'name' | 'scopes' | 'boundTo' | 'expiresAt'>,
): Promise<WithSecret<ApiKey, 'secret'>> {
  const where = await reserve(table, apiKeys);
  const { secret, secrets } = issueSecret();
  const clientId = formatClientId(where);
  const batch = table.batch();
  const draft = { id: where.id, name, scopes, ...(boundTo && { boundTo }), expiresAt, clientId, ...unused } as const;
  const record = batch.create(apiKeys, table.stamp<ApiKey>(draft));
  const opens = { scopes, ...(boundTo && { bound: boundTo }) };
  addCredential(table, batch, where, { kind: 'api_key', name, secrets, ...opens, expiresAt: expiresAt ?? undefined });
  await batch.commit();
  return { ...record, secret: formatKey('exk', where, secret) };
}

type NewServiceAccount = Pick<ServiceAccount, 'name' | 'role'> &
  Partial<Pick<ServiceAccount, 'scope' | 'email' | 'skills' | 'expiresAt'>> &
  Pick<Credential, 'makers'>;

export async function createServiceAccount(
  table: Table,
  { name, role, scope: part, email = null, skills = [], expiresAt = null, makers }: NewServiceAccount,
): Promise<WithSecret<ServiceAccount, 'clientSecret'>> {
  const where = await reserve(table, serviceAccounts);
  const { secret, secrets } = issueSecret();
  const clientId = formatClientId(where);
  const draft = {
    ...(part && { scope: part }),
    id: where.id,
    name,
    role,
    email,
    skills,
    expiresAt,
    clientId,
    ...unused,
  } as const;
  const place = { kind: 'service-accounts', id: where.id, until: expiresAt } as const;
  const record = await createInPlace(table, place, (batch) => {
    const ends = expiresAt ?? undefined;
    addCredential(table, batch, where, { kind: 'service_account', name, secrets, role, part, makers, expiresAt: ends });
    batch.write(...staffWrites(table.organizationId, draft), ...roleChecks(table, role));
    return batch.create(serviceAccounts, table.stamp<ServiceAccount>(draft));
  });
  return { ...record, clientSecret: formatClientSecret(secret) };
}

export async function createLinkToken(
  table: Table,
  {
    name = null,
    ...token
  }: Pick<LinkToken, 'kind' | 'maxUses' | 'expiresAt' | 'zone' | 'group'> & Partial<Pick<LinkToken, 'name'>>,
): Promise<WithSecret<LinkToken, 'linkToken'>> {
  const where = await reserve(table, linkTokens);
  const { secret, secrets } = issueSecret();
  const draft = { ...token, name, id: where.id, uses: 0, status: 'active', revokedAt: null } as const;
  const { kind: machine, expiresAt } = token;
  const place = { kind: 'link-tokens', id: where.id, until: expiresAt } as const;
  const record = await createInPlace(table, place, (batch) => {
    addCredential(table, batch, where, {
      kind: 'link_token',
      name: name ?? `link token for ${machine}`,
      secrets,
      machine,
      expiresAt,
    });
    return batch.create(linkTokens, table.stamp<LinkToken>(draft));
  });
  return { ...record, linkToken: formatKey('exl', where, secret) };
}

/** Creates a record in the transaction that takes its place. @throws limit_exceeded */
const createInPlace = <T>(table: Table, place: Place, create: (batch: Batch) => T): Promise<T> =>
  retry(async () => {
    const batch = table.batch();
    const record = create(batch);
    await takePlace(table, batch, place);
    await batch.commit();
    return record;
  });

async function reserve(table: Table, entity: { name: string; shards: number }): Promise<CredentialId> {
  const [id = ''] = await table.reserve(entity as never, 1);
  return { organizationId: table.organizationId, id };
}

/** The maker of a credential must have one, so that an account that is being revoked leaves none behind. */
function addCredential(
  { actor }: Table,
  batch: Batch,
  { organizationId, id }: CredentialId,
  credential: Omit<Credential, 'id'>,
): void {
  batch.write(putCredential(organizationId, { id, ...credential }, 'absent'));
  if (actor.id !== systemActor.id) batch.write(credentialStands({ organizationId, id: actor.id }));
}
