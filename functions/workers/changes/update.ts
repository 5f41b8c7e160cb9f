import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { bulkDeciding, StoredBulk } from '#shared/findings/bulk/findings.ts';
import { UNDO_KEPT_DAYS } from '#shared/findings/bulk/undo-rows.ts';
import { StoredWanted, selectWanted } from '#shared/findings/bulk/wanted.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { whenReady } from './ready.ts';

const Input = StoredBulk.extend({ wanted: StoredWanted });

/** Makes the changes of one request to all findings that it names or that fit its filter. */
export async function updateFindings(work: Work): Promise<Record<string, unknown> | undefined> {
  const { wanted, ...bulk } = Input.parse(work.task.input);
  const ready = await whenReady(work, wanted);
  if (!ready) return undefined;
  return changeMany(ready, {
    select: () => selectWanted(work, wanted),
    ...(await bulkDeciding(work.table, bulk)),
    undoableDays: UNDO_KEPT_DAYS,
  });
}
