import { opens, readCredential } from '#shared/platform/auth/credential.ts';
import { actorBehind, reasonOf, tellRefusedSignIn } from '#shared/platform/auth/events.ts';
import type { MachineKind } from '#shared/platform/auth/permissions.ts';
import { type CredentialId, parseKey } from '#shared/platform/auth/token-format.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { Cause } from '#shared/platform/table/actor.ts';

const refused = (message: string): ApiError => new ApiError('invalid_link_token', message);

export const usedUp = (): ApiError =>
  refused(
    'The link token is used up; machines linked with it stay linked. Ask an administrator for a new one, or, for a ' +
      'machine that links again without its secret, to release the machine.',
  );

export const ended = (): ApiError =>
  refused('The link token is unknown, revoked or expired. Ask an administrator for a new one.');

/**
 * The row of the link token, if the token opens now and is for this kind of machine. The transaction that takes a use
 * checks later whether a use is left. The audit log records a wrong or expired secret.
 * @throws invalid_link_token
 */
export async function openLinkToken(
  { connections, cause }: { connections: Connections; cause: Cause },
  text: string,
  kind: MachineKind,
): Promise<CredentialId> {
  const token = parseKey('exl', text);
  if (!token) throw refused('That is no link token (exl_...), or a part of it is missing: copy all of it again.');
  const credential = await readCredential(connections.dynamo, token);
  if (credential?.kind !== 'link_token') throw ended();
  if (!opens(credential, token.secret)) {
    const who = { organizationId: token.organizationId, author: { ...actorBehind(credential), cause } };
    await tellRefusedSignIn(connections.dynamo, who, reasonOf(credential));
    throw ended();
  }
  if (credential.machine !== kind)
    throw refused(`The link token is for a machine of the kind ${credential.machine}, not ${kind}.`);
  return { organizationId: token.organizationId, id: token.id };
}
