import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { byOperation, type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { noteCallsDead } from '#shared/platform/outgoing/record-call.ts';
import { results } from './results.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { syncIntegration } from './sync.ts';
import { tellImport } from './tell-import.ts';
import { tellScan } from './tell-scan.ts';

const run = byOperation({
  sync_integration: syncIntegration,
  tell_scan: tellScan,
  tell_import: tellImport,
  revoke_clone_tokens: revokeTokens,
});

export const handler = workerHandler('hosts', run, { results, deadLettered });

/** The calls of a report on a branch or a repository are attempted no more. */
async function deadLettered({ table, task: { id, resource } }: Work): Promise<void> {
  const branch = resource?.type === 'branch' ? await table.find(codeBranches, resource.id, true) : undefined;
  const repositoryId = branch?.repositoryId ?? (resource?.type === 'repository' ? resource.id : undefined);
  const repository = repositoryId && (await table.find(repositories, repositoryId, true));
  if (repository) await noteCallsDead(table, repository.integrationId, id);
}
