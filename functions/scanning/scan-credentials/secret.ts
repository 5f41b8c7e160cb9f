import { openSealed, sealWrite } from '#shared/credentials/sealed.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { type CredentialKind, SECRET_NAMES, SecretFields } from '#shared/scanning/scan-credentials/scan-credential.ts';

type Name = keyof SecretFields;

/** The secret fields of each kind: one field of `oneOf`, and any fields of `also`. `named`: with a user name. */
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

/** @throws validation_failed for a secret that was pasted with a line break: it would break the line in which a scanner sends it */
export function sealSecret(context: Context, given: { id: string; secret: SecretFields }): Promise<Write> {
  const lines = setFields(given.secret).filter((name) => name !== 'privateKey');
  const broken = lines.find((name) => /\p{Cc}/u.test(given.secret[name] ?? ''));
  if (broken) throw invalid(`secret.${broken}`, 'must be without control characters such as line breaks');
  return sealWrite(context, { purpose: 'scan-credential', ...given });
}

/** Opens a secret; undefined when it was removed. */
export const openSecret = (context: Context, id: string): Promise<SecretFields | undefined> =>
  openSealed(context, { purpose: 'scan-credential', id, schema: SecretFields });
