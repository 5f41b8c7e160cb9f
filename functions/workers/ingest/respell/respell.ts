import type { Asset } from '#shared/assets/asset/asset.ts';
import { refName } from '#shared/assets/targets/repository.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision } from '#shared/findings/bulk/decision.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { listedAssetName } from '#shared/findings/finding/reported.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import { keepFormerName } from './former-names.ts';
import { repositoriesAt, respellAssets } from './respell-assets.ts';

/** Gives repositories and branches that releases before 1.8 stored as reports spelled them their one name. */
export async function respellRepositories(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table } = work;
  let repositories = new Map<string, Asset>();
  const result = await changeMany(work, {
    async select() {
      await respellAssets({ connections: work.connections, table });
      return ordinalsOf(table, findings, {});
    },
    async prepare(found) {
      const ofRepositories = found.filter(({ asset }) => asset.type === 'repository');
      repositories = await repositoriesAt(
        table,
        ofRepositories.map(({ asset }) => asset.id),
      );
      for (const [assetId, spelled] of spellingsIn(ofRepositories)) await keepFormerName(table, assetId, spelled);
    },
    decide: (finding) => respelled(finding, repositories.get(finding.asset.id)),
  });
  if (!result) return undefined;
  const { matched, changed } = result;
  return { findings: matched, changed };
}

/** Which branches of which repositories are spelled otherwise; findings of an engagement belong to no branch. */
function spellingsIn(found: readonly FindingRow[]): [string, string][] {
  const old = found.filter(({ ref = '', engagementId }) => !engagementId && refName(ref) !== ref);
  const pairs = old.map(({ asset, ref = '' }) => [asset.id, ref] as [string, string]);
  return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()];
}

function respelled(finding: FindingRow, repository: Asset | undefined): Decision {
  const { asset, ref } = finding;
  const name = repository ? listedAssetName(repository.value) : asset.name;
  const changes = {
    ...(name !== asset.name && { asset: { ...asset, name } }),
    ...(ref !== undefined && refName(ref) !== ref && { ref: refName(ref) }),
  };
  if (Object.keys(changes).length === 0) return undefined;
  return { changes, reason: 'A repository and a branch have one spelling each.' };
}
