import * as z from 'zod';
import { assets } from '#shared/assets/asset/asset.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision } from '#shared/findings/bulk/decision.ts';
import { undoable } from '#shared/findings/bulk/undo-rows.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import type { FindingDetail, FindingRow } from '#shared/findings/view/view.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';

const Input = z.object({ assetIds: z.array(z.uuid()) });

/**
 * Removes the findings of retired assets from lists and dashboards; findings of assets that returned meanwhile stay.
 */
export async function retireAssets(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, task } = work;
  const { assetIds } = Input.parse(task.input);
  let retired = new Set<string>();
  return changeMany(work, {
    entity: findings,
    whole: true,
    select: () => ordinalsOf(table, findings, { where: { asset: assetIds } }),
    async prepare() {
      const current = await table.findMany(assets, assetIds, true);
      retired = new Set(current.flatMap(({ id, retiredAt }) => (retiredAt || work.preview ? id : [])));
    },
    decide: (finding) => (retired.has(finding.asset.id) ? putAside(finding) : undefined),
  });
}

const putAside = (finding: FindingRow): Decision => ({
  kind: 'retired',
  several({ table, batch }) {
    batch.delete<StoredFinding, FindingDetail>(findings, finding);
    batch.create(retiredFindings, table.changed<StoredFinding, FindingDetail>(finding, {}));
    return undoable(finding, {});
  },
});
