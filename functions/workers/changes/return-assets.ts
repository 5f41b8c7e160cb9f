import * as z from 'zod';
import { returnAsset, takenBy } from '#shared/exposure/asset-actions/return-asset.ts';
import { type Item, placeOf } from '#shared/findings/bulk/found.ts';
import { workParts } from '#shared/findings/bulk/slices.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';

const Input = z.object({ assetIds: z.array(z.uuid()), retiredAt: z.string().optional() });

/** Returns retired assets that an agent saw, or whose repository is in use again. */
export async function returnAssets(work: Work): Promise<Record<string, unknown>> {
  const { assetIds, retiredAt } = Input.parse(work.task.input);
  let returned = 0;
  for (const id of assetIds) returned += await returnAsset(work, id, retiredAt);
  return { returned };
}

/** Finds the findings that would return with their assets: those that no report made again meanwhile. */
export async function previewReturn(work: Work): Promise<void> {
  const { table, task } = work;
  const { assetIds } = Input.parse(task.input);
  const select = () => ordinalsOf(table, retiredFindings, { where: { asset: assetIds } });
  const decide = async (items: readonly Item[]) => {
    const ordinals = items.map(placeOf);
    const kept = await wholeRecordsAt(table, retiredFindings, { ordinals, consistent: true });
    const taken = await takenBy(table, kept);
    const back = new Set(kept.filter((finding) => !taken(finding)).map(({ id }) => ordinalOf(id)));
    return ordinals.map((ordinal) =>
      back.has(ordinal)
        ? { outcome: 'changed' as const, kind: 'returned', change: () => undefined }
        : { outcome: 'unchanged' as const },
    );
  };
  await workParts(work, [{ select, decide, collections: [retiredFindings] }]);
}
