import * as z from 'zod';
import { openFindingsOf } from '#shared/assets/open-findings.ts';
import { AssetView } from '#shared/assets/view.ts';
import { Asset, assets, seenAt } from '#shared/entities/asset.ts';
import { codeBranches } from '#shared/entities/code-branch.ts';
import { Repository } from '#shared/entities/repository.ts';
import { live, readOnly, Timestamp } from '#shared/http/records.ts';
import { Severity } from '#shared/reports/report.ts';
import { readTalliesOf } from '#shared/table/counters.ts';
import type { Table } from '#shared/table/table.ts';

const { host: _host, factsAt: _factsAt, assetEnded: _assetEnded, ...shape } = Repository.shape;
const facts = Object.fromEntries(
  Object.entries(shape).map(([name, field]) => [name, name === 'scanPolicy' ? field : readOnly(field)]),
) as unknown as typeof shape;

export const OpenFindings = z.record(Severity, z.int().nonnegative()).meta({ description: 'open or in progress' });

/** A repository as it is answered, with what its asset says. */
export const RepositoryView = z
  .object({
    ...facts,
    criticality: Asset.shape.criticality,
    ownerId: AssetView.shape.ownerId,
    tags: Asset.shape.tags,
    openFindings: live(OpenFindings.meta({ description: 'of the default branch' })),
    lastScanAt: live(
      Timestamp.nullable().meta({ description: 'when a report last saw it; moved when a day or more has passed' }),
    ),
    branches: live(z.int().nonnegative()),
  })
  .meta({ id: 'Repository' });
export type RepositoryView = z.infer<typeof RepositoryView>;

/** The fields that lie on the asset of a repository. */
export const ASSET_FIELDS = ['criticality', 'ownerId', 'tags'] as const;

export async function repositoryViews(table: Table, some: readonly Repository[]): Promise<RepositoryView[]> {
  const assetIds = [...new Set(some.map(({ assetId }) => assetId))];
  const ids = some.map(({ id }) => id);
  const [openOn, standing, counted] = await Promise.all([
    openFindingsOf(table, assetIds),
    table.findMany(assets, assetIds),
    readTalliesOf({ dynamo: table.dynamo, scope: table.scope, entity: codeBranches }, 'repository', ids),
  ]);
  const byId = new Map(standing.map((asset) => [asset.id, asset]));
  return some.map(({ host: _host, factsAt: _factsAt, assetEnded: _assetEnded, ...repository }) => {
    const asset = byId.get(repository.assetId);
    return {
      ...repository,
      criticality: asset?.criticality ?? 'medium',
      ownerId: asset?.ownerId ?? null,
      tags: asset?.tags ?? [],
      openFindings: openOn(repository.assetId),
      lastScanAt: asset?.sources?.length ? seenAt(asset) : null,
      branches: counted.get(repository.id)?.n ?? 0,
    };
  });
}

export async function repositoryView(table: Table, repository: Repository): Promise<RepositoryView> {
  const [view] = await repositoryViews(table, [repository]);
  if (!view) throw new Error('a repository has one view');
  return view;
}
