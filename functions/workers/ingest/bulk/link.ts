import * as z from 'zod';
import { findings } from '#shared/entities/finding.ts';
import { remediations } from '#shared/entities/remediation.ts';
import { changeMany } from '#shared/findings/many/change-many.ts';
import { StoredWanted, selectWanted } from '#shared/findings/many/wanted.ts';
import { linkChanges } from '#shared/findings/remediations.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { ordinalOf } from '#shared/runtime/ids.ts';
import { ordinalsOf } from '#shared/table/selected.ts';

const Input = z.object({ remediationId: z.uuid(), wanted: StoredWanted.optional() });

/** Links exactly the wanted findings to a remediation; none to one that was deleted meanwhile. */
export async function linkRemediation(work: Work): Promise<Record<string, unknown> | undefined> {
  const { remediationId: id, wanted } = Input.parse(work.task.input);
  const isLeft = (await work.table.find(remediations, id, true)) !== undefined;
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
