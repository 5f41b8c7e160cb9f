import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { CodeHost } from '../integrations/integration.ts';
import { type CodeBranch, codeBranches } from '../repositories/code-branch.ts';
import { type Repository, repositories } from '../repositories/repository.ts';

type Place = { vendor: CodeHost; id: string };

/** @throws not_found also for a repository of the other code host */
export async function repositoryOn(table: Table, { vendor, id }: Place, consistent = false): Promise<Repository> {
  const repository = await table.get(repositories, id, consistent);
  if (repository.vendor !== vendor) throw notFound('repository', id);
  return repository;
}

/** A branch with its repository. @throws not_found also for a branch of the other code host */
export async function branchOn(
  table: Table,
  { vendor, id }: Place,
  consistent = false,
): Promise<{ branch: CodeBranch; repository: Repository }> {
  const branch = await table.get(codeBranches, id, consistent);
  if (branch.vendor !== vendor) throw notFound('branch', id);
  return { branch, repository: await table.get(repositories, branch.repositoryId, consistent) };
}
