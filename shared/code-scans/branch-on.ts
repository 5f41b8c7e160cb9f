import { type CodeBranch, codeBranches } from '../entities/code-branch.ts';
import type { CodeHost } from '../entities/integration.ts';
import { type Repository, repositories } from '../entities/repository.ts';
import { notFound } from '../runtime/errors.ts';
import type { Table } from '../table/table.ts';

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
