import { type LinkToken, linkTokens } from '#shared/credentials/link-token.ts';
import {
  forgetCredential,
  generationAfter,
  issueSecret,
  opens,
  putCredential,
  readCredential,
} from '#shared/platform/auth/credential.ts';
import { actorBehind, reasonOf, tellRefusedSignIn } from '#shared/platform/auth/events.ts';
import type { MachineKind } from '#shared/platform/auth/permissions.ts';
import { type CredentialId, formatClientId, formatClientSecret, parseKey } from '#shared/platform/auth/token-format.ts';
import { givePlace } from '#shared/platform/quotas/places.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { VERSION } from '#shared/platform/runtime/version.ts';
import { type Cause, systemActor } from '#shared/platform/table/actor.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { type Draft, openTable, type Table } from '#shared/platform/table/table.ts';
import { placeByToken } from '#shared/scanning/scanners/token-group.ts';
import { type Claim, findKnown, type Known } from './known-machine.ts';

type Machine = Stored & { name: string; instanceId: string | null; zone: string | null; groupIds: string[] };

type Placed = {
  name: string;
  instanceId: string | null;
  zone: string | null;
  groupIds: string[];
  /** For a scanner: the shared pools that it works for. */
  publicGroupIds?: string[];
};

/** How a kind of machine becomes a record. */
export type Linkable<T extends Machine> = {
  kind: MachineKind;
  entity: Entity<T>;
  /** A new machine, from its own report and its place. */
  draft: (placed: Placed) => Draft<T>;
  /** The fields that a known machine reports of itself now; settings of an operator stay. */
  renewed: (moved: { zone?: string; groupIds?: string[]; publicGroupIds?: string[] }) => Partial<T>;
  /** Runs after the machine's record changed, where other records hold a copy of its fields. */
  onRenewed?: (table: Table, id: string) => Promise<void>;
};

type Linking = { connections: Connections; cause: Cause };
type LinkBody = Claim & { linkToken?: string; name?: string; zone?: string | null };

const FIRST_POLL_SECONDS = 5;

/**
 * Gives a machine its credential in exchange for a link token. The use of the token, the machine's record and its
 * credential change in one transaction: only one of two machines gets the last use, and a failure uses up nothing.
 */
export async function linkMachine<T extends Machine>(
  { connections, cause }: Linking,
  body: LinkBody,
  linkable: Linkable<T>,
) {
  const { linkToken, name } = body;
  if (!linkToken) throw invalid('linkToken', 'is required to link');
  if (!name) throw invalid('name', 'is required to link');
  const where = await openLinkToken({ connections, cause }, linkToken, linkable.kind);
  const table = openTable(connections.dynamo, where.organizationId, { ...systemActor, cause });
  const link = async () => {
    const token = await table.get(linkTokens, where.id, true);
    if (token.revokedAt !== null) throw ended(); // since it was opened
    const { known, isTaken } = await findKnown(table, linkable, body);
    if (known) return linkAgain(table, { linkable, token, known });
    return linkNew(table, { linkable, token, body: { ...body, name, ...(isTaken && { instanceId: undefined }) } });
  };
  return answer(connections, table.organizationId, await retry(link, mayBeLinked));
}

/** Another link used the token, or someone made, changed or deleted the machine, between our reads and our write. */
const mayBeLinked = (error: unknown): boolean =>
  isConflict(error) || (error instanceof ApiError && error.code === 'not_found');

type New<T extends Machine> = { linkable: Linkable<T>; token: LinkToken; body: LinkBody & { name: string } };

async function linkNew<T extends Machine>(table: Table, { linkable, token, body }: New<T>) {
  const { name, instanceId = null } = body;
  if (token.uses >= token.maxUses) throw usedUp();
  const [id = ''] = await table.reserve(linkable.entity, 1);
  const itself = openTable(table.dynamo, table.organizationId, { kind: 'machine', id, name, cause: table.cause });
  const place = { zone: token.zone ?? body.zone ?? null, ...(await placeByToken(table, token)) };
  const uses = token.uses + 1;
  const status = uses === token.maxUses ? 'used_up' : 'active';
  const { secret, credential } = newCredential(linkable.kind, { id, name, linkTokenId: token.id });
  const batch = itself.batch();
  const draft = linkable.draft({ name, instanceId, ...place });
  const machine = batch.create(linkable.entity, itself.stamp<T>({ ...draft, id }));
  batch.update(linkTokens, token, itself.changed<LinkToken, never>(token, { uses, status }));
  batch.write(putCredential(table.organizationId, credential, 'absent'));
  if (status === 'used_up') batch.write(givePlace(table.tenant, 'link-tokens', token.id));
  await batch.commit();
  return { machine, secret };
}

type Again<T extends Machine> = { linkable: Linkable<T>; token: LinkToken; known: Known<T> };

async function linkAgain<T extends Machine>(table: Table, { linkable, token, known }: Again<T>) {
  const { machine: read, credential: current } = known;
  if (current.linkTokenId !== token.id && token.uses >= token.maxUses) throw usedUp();
  const place = { ...(token.zone && { zone: token.zone }), ...(token.group && (await placeByToken(table, token))) };
  const owner = { id: read.id, name: read.name, linkTokenId: token.id };
  const { secret, credential } = newCredential(linkable.kind, owner);
  const where = { organizationId: table.organizationId, id: read.id };
  const { disabled, secrets, generation } = current;
  const renewed = { ...credential, disabled, generation: generationAfter(current) };
  const batch = table.batch();
  const machine = batch.update(linkable.entity, read, table.changed<T, never>(read, linkable.renewed(place)));
  // a rotation in between may have ended the secret that was the proof
  batch.write(putCredential(where.organizationId, renewed, { secrets, generation }));
  await batch.commit();
  forgetCredential(table.dynamo, where);
  await linkable.onRenewed?.(table, read.id);
  return { machine, secret };
}

function newCredential(machine: MachineKind, owner: { id: string; name: string; linkTokenId: string }) {
  const { secret, secrets } = issueSecret();
  return { secret, credential: { ...owner, kind: 'machine', machine, secrets } as const };
}

type Linked = { machine: Machine; secret: string };

function answer({ settings }: Connections, organizationId: string, { machine, secret }: Linked) {
  const { id, zone, groupIds } = machine;
  return {
    id,
    clientId: formatClientId({ organizationId, id }),
    clientSecret: formatClientSecret(secret),
    tokenUrl: `${settings.BASE_URL}/api/v1/oauth/token`,
    pollAfterSeconds: FIRST_POLL_SECONDS,
    zone,
    groupIds,
    serverVersion: VERSION,
  };
}

const refused = (message: string): ApiError => new ApiError('invalid_link_token', message);

const usedUp = (): ApiError =>
  refused(
    'The link token is used up; machines linked with it stay linked. Ask an administrator for a new one, or, for a ' +
      'machine that links again without its secret, to release the machine.',
  );

const ended = (): ApiError =>
  refused('The link token is unknown, revoked or expired. Ask an administrator for a new one.');

/**
 * The row of the link token, if the token opens now and is for this kind of machine. The transaction that takes a use
 * checks later whether a use is left. The audit log records a wrong or expired secret.
 * @throws invalid_link_token
 */
async function openLinkToken(
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
