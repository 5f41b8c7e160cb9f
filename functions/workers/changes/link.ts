import * as z from 'zod';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { StoredWanted, selectWanted } from '#shared/findings/bulk/wanted.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { remediations } from '#shared/findings/triage/remediation.ts';
import { linkChanges } from '#shared/findings/triage/remediations.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import { withoutPart } from '#shared/platform/table/table.ts';

const Input = z.object({ remediationId: z.uuid(), wanted: StoredWanted.optional() });

/** Links exactly the wanted findings to a remediation; links none to a remediation that was deleted meanwhile. */
export async function linkRemediation(work: Work): Promise<Record<string, unknown> | undefined> {
  const { remediationId: id, wanted } = Input.parse(work.task.input);
  const isLeft = (await withoutPart(work.table).find(remediations, id, true)) !== undefined;
  const ids = new Set(wanted && isLeft ? await selectWanted(work, wanted) : []);
  return changeMany(work, {
    entity: findings,
    async select() {
      const linked = await ordinalsOf(work.table, findings, { where: { remediationId: id } });
      return [...new Set([...linked, ...[...ids].map((one) => ordinalOf(String(one)))])];
    },
    decide(finding) {
      const changes = linkChanges(finding, id, ids.has(finding.id));
      return changes && { changes };
    },
  });
}
