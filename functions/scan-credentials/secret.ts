import * as z from 'zod';
import { open, type SealContext, seal } from '#shared/crypto/seal.ts';
import { type CredentialKind, SECRET_NAMES, SecretFields, sealedSecrets } from '#shared/entities/scan-credential.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Write } from '#shared/table/io/commit.ts';
import { putWrite } from '#shared/table/io/row.ts';
import type { Table } from '#shared/table/table.ts';

type Name = keyof SecretFields;

/** The secret fields of each kind: one of `oneOf`, and any of `also`. `named`: with a user name. */
const SHAPES: Record<CredentialKind, { oneOf: readonly Name[]; also: readonly Name[]; named: boolean }> = {
  ssh: { oneOf: ['password', 'privateKey'], also: ['passphrase'], named: true },
  smb: { oneOf: ['password'], also: [], named: true },
  web_login: { oneOf: ['password'], also: [], named: true },
  api_token: { oneOf: ['token'], also: [], named: false },
  registry: { oneOf: ['password', 'token'], also: [], named: false },
  code_host: { oneOf: ['token', 'privateKey'], also: ['passphrase'], named: false },
};

export const setFields = (secret: SecretFields): Name[] =>
  SECRET_NAMES.options.filter((name) => secret[name] !== undefined);

/** @throws validation_failed for a secret that a scanner cannot use */
export function checkSecret(kind: CredentialKind, secret: SecretFields, username: string | null): void {
  const { oneOf, also, named } = SHAPES[kind];
  const set = setFields(secret);
  const stray = set.find((name) => !oneOf.includes(name) && !also.includes(name));
  if (stray) throw invalid(`secret.${stray}`, `does not belong to ${kind}: it takes ${[...oneOf, ...also].join(', ')}`);
  if (!set.some((name) => oneOf.includes(name))) throw invalid('secret', `${kind} needs ${oneOf.join(' or ')}`);
  if (named && username === null) throw invalid('username', `is required for ${kind}`);
}

const contextOf = ({ organizationId }: Table, id: string): SealContext => ({
  organizationId,
  purpose: 'scan-credential',
  id,
});

/** The write that stores a sealed secret. */
export async function sealWrite(
  connections: Connections,
  table: Table,
  { id, secret }: { id: string; secret: SecretFields },
): Promise<Write> {
  const sealed = await seal(connections, contextOf(table, id), Buffer.from(JSON.stringify(secret), 'utf8'));
  return putWrite(table.scope, sealedSecrets, { row: { credentialId: id, sealed } });
}

const Bytes = z.instanceof(Uint8Array);

/** Opens a secret; undefined when it was removed. */
export async function openSecret(
  connections: Connections,
  table: Table,
  id: string,
): Promise<SecretFields | undefined> {
  const row = await table.rows(sealedSecrets).find({ credentialId: id }, true);
  if (!row) return undefined;
  const bytes = await open(connections, contextOf(table, id), Bytes.parse(row.sealed));
  return SecretFields.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
}
