import { credentialAsOfNow } from '#shared/credentials/credential-status.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Used = Parameters<typeof credentialAsOfNow>[0] & { id: string; lastUsedAt?: string | null };

/** Adds the current status and last use, which are in the credentials; a revoked credential has no row. */
export async function showCredentials<T extends Used>(table: Table, records: readonly T[]) {
  const found = await table.rows(credentials).findMany(records.map(({ id }) => ({ id })));
  const used = new Map(found.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  return records.map((record) => ({
    ...credentialAsOfNow(record),
    lastUsedAt: used.get(record.id) ?? record.lastUsedAt ?? null,
  }));
}

export async function showCredential<T extends Used>(table: Table, record: T) {
  const [shown] = await showCredentials(table, [record]);
  return shown ?? { ...record, lastUsedAt: null };
}
