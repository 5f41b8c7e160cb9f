import { assets } from '#shared/assets/asset/asset.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { Merge } from '#shared/exposure/asset-actions/merge.ts';
import { UNDOABLE_DAYS } from '#shared/exposure/asset-actions/undo.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision } from '#shared/findings/bulk/decision.ts';
import { findingAsset } from '#shared/findings/finding/assets.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { dueSince } from '#shared/findings/finding/finding-status.ts';
import { fromAsset } from '#shared/findings/sla/rating.ts';
import { dueFields, isDueChosen, learnTraits, readSla, type Sla } from '#shared/findings/sla/sla-policies.ts';
import { findingsAt } from '#shared/findings/view/find.ts';
import { lastSeen } from '#shared/findings/view/last-seen.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { inOrder, makeOne, type Twins } from './merge-findings.ts';
import { moveBranches } from './move-branches.ts';
import { readPairs, selectMerged } from './pairs.ts';
import { problemKey } from './problem-key.ts';

/**
 * Moves the findings of a merged asset to the asset that absorbed it; two findings of one problem become one finding.
 */
export async function mergeAssets(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, task } = work;
  const { assetId, intoId } = Merge.parse(task.input);
  const [asset, sla] = [await assetOf(table, intoId, assetId), await readSla(table)];
  let twins = new Map<string, Omit<Twins, 'asset' | 'sla'>>();
  const result = await changeMany(work, {
    async select() {
      if (!work.preview) await moveBranches(work, { assetId, intoId });
      return selectMerged(work, assetId, intoId);
    },
    async prepare(found) {
      await learnTraits(table, sla, [{ asset }]);
      twins = await twinsOf(work, found, { assetId, intoId });
    },
    decide(finding) {
      if (finding.asset.id !== assetId) return undefined;
      const pair = twins.get(finding.id);
      return pair
        ? { several: (place) => makeOne(place, { ...pair, asset, sla }), kind: 'merged' }
        : moved(finding, { asset, sla });
    },
    undoableDays: UNDOABLE_DAYS + 1,
  });
  if (!result) return undefined;
  const { moved: movedCount = 0, merged = 0 } = Object(result.kinds);
  return { findings: result.matched, moved: movedCount, merged };
}

function moved(finding: FindingRow, { asset, sla }: { asset: StoredFinding['asset']; sla: Sla }): Decision {
  const dated = isDueChosen(finding) ? {} : dueFields(sla, { ...finding, asset }, dueSince(finding));
  return {
    changes: { asset, ...fromAsset(sla.assets.get(asset.id)), ...dated },
    reason: `The asset ${finding.asset.id} was merged into ${asset.id}.`,
    kind: 'moved',
  };
}

/** The asset as findings name it. It may have been merged again since, or deleted. */
async function assetOf(table: Table, intoId: string, assetId: string): Promise<StoredFinding['asset']> {
  const current =
    (await table.find(assets, intoId, true)) ??
    (await table.find(mergedAssets, intoId, true)) ??
    (await table.get(mergedAssets, assetId, true));
  return findingAsset(current, intoId);
}

/** The pairs of whole findings among these that are still one problem of the two assets. */
async function twinsOf(work: Work, found: readonly FindingRow[], { assetId, intoId }: Merge) {
  const pairs = await readPairs(work);
  const mine = found.flatMap(({ id }) => (pairs.has(ordinalOf(id)) ? ordinalOf(id) : []));
  const ordinals = mine.flatMap((ordinal) => [ordinal, pairs.get(ordinal) ?? -1]);
  const whole = await findingsAt(ordinals, (entity, some) =>
    wholeRecordsAt(work.table, entity, { ordinals: some, consistent: true }),
  );
  const both = mine.flatMap((ordinal) => {
    const [one, other] = [whole.get(ordinal), whole.get(pairs.get(ordinal) ?? -1)];
    const isPair =
      one?.entity === other?.entity && one?.finding.asset.id === assetId && other?.finding.asset.id === intoId;
    return one && other && isPair && problemKey(one.finding) === problemKey(other.finding)
      ? [[one.finding, other.finding] as const]
      : [];
  });
  const seen = await lastSeen(work.connections.bucket, work.table, both.flat());
  return new Map(
    both.map(([one, other]) => {
      const [older, newer] = inOrder(one, other);
      return [one.id, { older, newer, seen }] as const;
    }),
  );
}
