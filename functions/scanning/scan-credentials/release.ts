import { openHost } from '#shared/code/code-hosts/open.ts';
import { type IssuedToken, issuedTokens } from '#shared/code/code-hosts/revoke.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { newIdAt } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { condition, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { type ScannerPresence, scannerPresences } from '#shared/scanning/fleet/presence.ts';
import { PresenceMoved } from '#shared/scanning/machines/save-presence.ts';
import { isBoundTo } from '#shared/scanning/scan-credentials/bounds.ts';
import {
  FITS,
  releaseMarks,
  type ScanCredential,
  type SecretRelease,
  scanCredentials,
  secretReleases,
} from '#shared/scanning/scan-credentials/scan-credential.ts';
import { type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import type { ReleasedCredential } from './routes.ts';
import { openSecret } from './secret.ts';

type SecretRequest = Context & { scannerId: string; address: string };

/**
 * Releases the secrets of a task to the scanner that holds its stored lease; the lease names the task's organization.
 * Before the answer one transaction records the release there and marks the attempt, so that it gets them only once.
 * @throws not_found for a task that the scanner does not hold, conflict for a second release to the same attempt
 */
export function releaseSecrets(at: SecretRequest, taskId: string) {
  let asked: Promise<TaskToken[]> | undefined;
  const tokenOf: TokenOf = (owner, task) => {
    asked ??= cloneToken({ connections: at.connections, table: owner }, task);
    return asked;
  };
  return retry(() => releaseNow(at, taskId, tokenOf));
}

/** The code host is asked once, however often the transaction is overtaken. */
type TokenOf = (owner: Table, task: ScannerTask) => Promise<TaskToken[]>;

async function releaseNow(at: SecretRequest, taskId: string, tokenOf: TokenOf) {
  const { connections, table, scannerId } = at;
  const presence = await table.rows(scannerPresences).find({ machineId: scannerId }, true);
  const owner = inOrganization(table, presence?.leases[taskId]?.organizationId);
  const task = await owner.find(scannerTasks, taskId, true);
  if (!task || !presence || !holds(presence, task)) throw notFound(scannerTasks.name, taskId);
  const fitting = await releasable(owner, task);
  const own = await Promise.all(fitting.map((credential) => opened({ connections, table: owner }, credential)));
  const hasOwn = fitting.some(({ kind }) => kind === 'code_host');
  const tokens = hasOwn ? [] : await tokenOf(owner, task);
  const made = tokens.map(({ credential }) => credential);
  const credentialIds = [...fitting, ...made].map(({ id }) => id);
  const revocable = tokens.flatMap((token) => token.revocable ?? []);
  await record(at, { owner, task, presence, credentialIds, revocable });
  return { taskId, attempt: task.attempt, credentials: [...own.flat(), ...made] };
}

/** The credentials for a task: those bound to its target, and those that an administrator allowed for its engagement. */
async function releasable(owner: Table, task: ScannerTask): Promise<ScanCredential[]> {
  const found: ScanCredential[] = await owner.findMany(scanCredentials, task.credentialIds ?? []);
  const fitting = found.filter(({ kind }) => FITS[kind].includes(task.type));
  const bound = fitting.filter((credential) => isBoundTo(credential, task.target));
  if (bound.length === fitting.length || task.engagementId === null) return bound;
  const { approvedCredentialIds = [] } = await owner.get(engagements, task.engagementId, true);
  return fitting.filter((one) => bound.includes(one) || approvedCredentialIds.includes(one.id));
}

const holds = (presence: ScannerPresence, task: ScannerTask): boolean => {
  const lease = presence.leases[task.id];
  const isMine = task.status === 'running' && task.scanner?.id === presence.machineId;
  return isMine && lease !== undefined && lease.attempt === task.attempt && lease.until > nowMs();
};

async function opened(context: Context, credential: ScanCredential): Promise<ReleasedCredential[]> {
  const secret = await openSecret(context, credential.id);
  const { id, name, kind, username, domain } = credential;
  return secret ? [{ id, name, kind, username, domain, secret }] : [];
}

type Release = {
  owner: Table;
  task: ScannerTask;
  presence: ScannerPresence;
  credentialIds: string[];
  revocable: readonly NonNullable<TaskToken['revocable']>[];
};

async function record(
  { table, address }: SecretRequest,
  { owner, task, presence, credentialIds, revocable }: Release,
): Promise<void> {
  const at = now();
  const { id: taskId, attempt, engagementId } = task;
  const fail = () =>
    conflict(`Attempt ${attempt} of this task already got its secrets: report the task as failed to get them again.`);
  const batch = owner.batch();
  batch.write(putWrite(owner.tenant, releaseMarks, { row: { taskId, attempt, at }, expect: 'absent', fail }));
  for (const token of revocable)
    batch.write(putWrite(owner.tenant, issuedTokens, { row: { taskId, attempt, ...token } }));
  // nothing is released when the lease ends at this moment
  batch.write({
    check: rowKey(table.tenant, scannerPresences, presence),
    condition: condition({ rev: presence.rev }),
    fail: () => new PresenceMoved(),
  });
  const scanner = { id: presence.machineId, name: presence.name };
  const given = { at, taskId, attempt, engagementId, scanner, remoteAddress: address };
  const first = credentialIds.length > 0 ? await owner.reserveOrdinals(secretReleases, credentialIds.length) : 0;
  for (const [n, credentialId] of credentialIds.entries())
    batch.create(secretReleases, owner.stamp<SecretRelease>({ ...given, credentialId, id: newIdAt(first + n) }));
  await batch.commit();
}

/** A token for the scanner, and how it is revoked. */
type TaskToken = {
  credential: ReleasedCredential;
  revocable: Pick<IssuedToken, 'integrationId' | 'revocation' | 'expiresAt'> | undefined;
};

/**
 * The short-lived token of the code host with which a scanner clones the repository of a scan. The token has the id of
 * the integration.
 * @throws conflict where the code host refuses
 */
async function cloneToken(context: Context, { codeScan }: Pick<ScannerTask, 'codeScan'>): Promise<TaskToken[]> {
  if (!codeScan?.cloneToken) return [];
  const repository = await context.table.get(repositories, codeScan.repositoryId);
  const integration = await context.table.find(integrations, repository.integrationId);
  if (!integration?.enabled) return [];
  try {
    const given = await (await openHost(context, integration)).cloneToken(repository);
    if (!given) return [];
    const { id, name } = integration;
    const { username, token, expiresAt, revocation } = given;
    return [
      {
        credential: { id, name, kind: 'code_host', username, domain: null, secret: { token } },
        revocable: revocation === undefined ? undefined : { integrationId: id, revocation, expiresAt },
      },
    ];
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw conflict(`The code host gave no token to clone the repository: ${error.message}`);
  }
}
