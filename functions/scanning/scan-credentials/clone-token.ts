import { openHost } from '#shared/code/code-hosts/open.ts';
import type { IssuedToken } from '#shared/code/code-hosts/revoke.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import type { ReleasedCredential } from './routes.ts';

/** A token for the scanner, and how it is revoked. */
export type TaskToken = {
  credential: ReleasedCredential;
  revocable: Pick<IssuedToken, 'integrationId' | 'revocation' | 'expiresAt'> | undefined;
};

/**
 * The short-lived token of the code host with which a scanner clones the repository of a scan. The token has the id of
 * the integration.
 * @throws conflict where the code host refuses
 */
export async function cloneToken(context: Context, { codeScan }: Pick<ScannerTask, 'codeScan'>): Promise<TaskToken[]> {
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
