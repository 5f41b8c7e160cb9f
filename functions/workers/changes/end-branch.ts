import * as z from 'zod';
import { type Branch, branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Deciding } from '#shared/findings/bulk/decision.ts';
import { isOpen, moveStatus } from '#shared/findings/finding/finding-status.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';

const Input = z.object({ branchId: z.uuid(), isRemoved: z.boolean() });
type Input = z.infer<typeof Input>;

/** Ends a branch: closes or deletes the findings that only this branch has. Merged findings have moved before. */
export async function endBranch(work: Work): Promise<Record<string, unknown> | undefined> {
  const input = Input.parse(work.task.input);
  const branch = await work.table.find(branches, input.branchId, true);
  const result = await changeMany(work, {
    entity: branchFindings,
    select: async () =>
      branch && ends(branch, input)
        ? ordinalsOf(work.table, branchFindings, { where: { asset: branch.assetId, ref: branch.name } })
        : [],
    decide: input.isRemoved ? () => 'delete' : closed,
    ...(input.isRemoved && { whole: true }),
  });
  if (result) await retry(() => note(work, input));
  return result;
}

const ends = ({ isDefault }: Branch, { isRemoved }: Input): boolean => isRemoved || !isDefault;

const closed: Deciding['decide'] = (finding) => {
  if (!isOpen(finding.status)) return undefined;
  const reason = 'Its branch ended.';
  return { changes: moveStatus(finding, { to: 'fixed', at: now(), reason, byClock: true }), reason };
};

async function note({ table }: Work, input: Input): Promise<void> {
  const branch = await table.find(branches, input.branchId, true);
  if (!branch || !ends(branch, input)) return;
  const batch = table.batch();
  if (input.isRemoved) batch.delete(branches, branch);
  else batch.update(branches, branch, table.changed<Branch, never>(branch, { endedAt: now() }));
  await batch.commit();
}
