import * as z from 'zod';
import { open, seal } from '../crypto/seal.ts';
import type { Connections } from '../runtime/connections.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';

/** The secret of a record, sealed by `shared/crypto/seal.ts`. */
export const sealedSecrets = defineRow<{ credentialId: string; sealed: Uint8Array }, { credentialId: string }>({
  name: 'sealed-secret',
  about: 'the sealed secret of a scan credential or an integration',
  key: ({ credentialId }) => [credentialId],
});

/** The record whose secret it is; a secret opens for the same purpose alone. */
type SecretOwner = { purpose: 'scan-credential' | 'integration'; id: string };

const contextOf = ({ organizationId }: Table, owner: SecretOwner) => ({ organizationId, ...owner });

/** The write that stores a sealed secret. */
export async function sealWrite(
  connections: Connections,
  table: Table,
  { secret, ...owner }: SecretOwner & { secret: object },
): Promise<Write> {
  const sealed = await seal(connections, contextOf(table, owner), Buffer.from(JSON.stringify(secret), 'utf8'));
  return putWrite(table.scope, sealedSecrets, { row: { credentialId: owner.id, sealed } });
}

export const removeSecret = (table: Table, id: string): Write => ({
  remove: rowKey(table.scope, sealedSecrets, { credentialId: id }),
});

const Bytes = z.instanceof(Uint8Array);

/** Opens a secret; undefined when it was removed. */
export async function openSealed<T>(
  connections: Connections,
  table: Table,
  { schema, ...owner }: SecretOwner & { schema: z.ZodType<T> },
): Promise<T | undefined> {
  const row = await table.rows(sealedSecrets).find({ credentialId: owner.id }, true);
  if (!row) return undefined;
  const bytes = await open(connections, contextOf(table, owner), Bytes.parse(row.sealed));
  return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
}
