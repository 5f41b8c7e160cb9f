import type { Asset } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { isExcluded, isLinked, linkEdit, unlinkEdit } from '#shared/exposure/asset-links/links.ts';
import { settleAssets } from '#shared/exposure/asset-rules/settle-assets.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** The application of a repository: the first that people linked its asset to, else the first by a rule. */
export const applicationOf = ({ links = [], ruleLinks = [] }: Pick<Asset, 'links' | 'ruleLinks'>): string | null =>
  (links[0] ?? ruleLinks[0])?.applicationId ?? null;

/**
 * Replaces the shown link of a repository's asset to an application; null removes that link. Links to further
 * applications stay.
 * @throws validation_failed for an application that does not exist, conflict for an application that excludes the asset
 */
export async function setApplication({ connections, table }: Context, assetId: string, wanted: string | null) {
  if (wanted !== null && !(await table.find(applications, wanted, true)))
    throw invalid('applicationId', 'must be the id of an application, or null');
  await settleAssets({ connections, table }, [ordinalOf(assetId)], (asset) => {
    const shown = applicationOf(asset);
    if (shown === wanted) return undefined;
    if (wanted !== null && isExcluded(asset, wanted))
      throw conflict('The repository is excluded from the application: delete the exclusion first.');
    const byHand = asset.links?.some(({ applicationId }) => applicationId === shown);
    if (wanted === null && !byHand)
      throw conflict(`A rule links the repository to the application ${shown}: exclude it there, or change the rule.`);
    const left = shown !== null && byHand ? unlinkEdit(asset, shown) : { changes: {} };
    const without = { ...asset, ...left.changes };
    if (wanted === null) return left;
    const known = isLinked(without, wanted) ? unlinkEdit(without, wanted) : left;
    const { changes, also } = linkEdit(
      table,
      { ...without, ...known.changes },
      { applicationId: wanted, origin: 'manual', at: now() },
    );
    // the answer shows the first link
    return { changes: { ...changes, links: changes.links?.toReversed() }, ...(also && { also }) };
  });
}
