import * as z from 'zod';
import { open, seal } from '#shared/platform/crypto/seal.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The secret of a record, sealed by `shared/platform/crypto/seal.ts`. */
export const sealedSecrets = defineRow<{ credentialId: string; sealed: Uint8Array }, { credentialId: string }>({
  name: 'sealed-secret',
  about:
    "the sealed secret of a scan credential, an integration, an identity provider or a subscription, and the key of exposed credentials' hashes",
  key: ({ credentialId }) => [credentialId],
});

/** The record that owns the secret; a secret opens only for the same purpose. */
type SecretOwner = {
  purpose: 'scan-credential' | 'integration' | 'exposed-credential' | 'identity-provider' | 'subscription';
  id: string;
};

const contextOf = ({ organizationId }: Table, owner: SecretOwner) => ({ organizationId, ...owner });

/** The write that stores a sealed secret. */
export async function sealWrite(
  context: Context,
  { secret, ...owner }: SecretOwner & { secret: object },
): Promise<Write> {
  return putWrite(context.table.tenant, sealedSecrets, { row: await sealedRow(context, { secret, ...owner }) });
}

/** The same for a secret that nobody may have stored before. */
export async function sealNewWrite(context: Context, sealing: SecretOwner & { secret: object }): Promise<Write> {
  return putWrite(context.table.tenant, sealedSecrets, {
    row: await sealedRow(context, sealing),
    expect: 'absent',
    fail: () => new Overtaken(),
  });
}

async function sealedRow({ connections, table }: Context, { secret, ...owner }: SecretOwner & { secret: object }) {
  const sealed = await seal(connections, contextOf(table, owner), Buffer.from(JSON.stringify(secret), 'utf8'));
  return { credentialId: owner.id, sealed };
}

export const removeSecret = (table: Table, id: string): Write => ({
  remove: rowKey(table.tenant, sealedSecrets, { credentialId: id }),
});

const Bytes = z.instanceof(Uint8Array);

/** Opens a secret; undefined when it was removed. */
export async function openSealed<T>(
  { connections, table }: Context,
  { schema, ...owner }: SecretOwner & { schema: z.ZodType<T> },
): Promise<T | undefined> {
  const row = await table.rows(sealedSecrets).find({ credentialId: owner.id }, true);
  if (!row) return undefined;
  const bytes = await open(connections, contextOf(table, owner), Bytes.parse(row.sealed));
  return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
}
