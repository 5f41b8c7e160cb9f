import { assets } from '#shared/assets/asset/asset.ts';
import type { CodeHost } from '#shared/code/integrations/integration.ts';
import { type CodeBranch, codeBranches } from '#shared/code/repositories/code-branch.ts';
import { type Repository, repositories, ScanPolicy } from '#shared/code/repositories/repository.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';

/** A repository as an event makes it, with its asset. */
export async function makeRepository(
  table: Table,
  vendor: CodeHost,
  fields: Partial<Draft<Repository>> = {},
): Promise<Repository> {
  const externalId = newId();
  const url = `https://git.example.com/shop/${externalId}`;
  const plain = { zone: null, criticality: 'medium' as const, internetExposed: null, tags: [] };
  const asset = await table.create(assets, { type: 'repository', value: url, name: url, firstSeenAt: now(), ...plain });
  const untold = { description: null, language: null, topics: [], pushedAt: null, syncedAt: null, archived: false };
  return table.create(repositories, {
    vendor,
    externalId,
    url,
    integrationId: newId(),
    host: 'git.example.com',
    assetId: asset.id,
    ...untold,
    fullName: `shop/${externalId}`,
    name: externalId,
    defaultBranch: 'main',
    visibility: 'private',
    factsAt: now(),
    status: 'active',
    scanPolicy: ScanPolicy.parse({}),
    ...fields,
  });
}

export const makeBranch = (
  table: Table,
  { id: repositoryId, vendor }: Repository,
  fields: Partial<Draft<CodeBranch>> = {},
): Promise<CodeBranch> =>
  table.create(codeBranches, {
    repositoryId,
    vendor,
    name: 'main',
    headCommit: 'a'.repeat(40),
    headCommittedAt: now(),
    formerCommit: null,
    factsAt: now(),
    protected: false,
    status: 'active',
    protectedHere: null,
    scanOnPush: null,
    tags: [],
    ...fields,
  });
