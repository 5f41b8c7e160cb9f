import { afterRules, followsRules, type Lacking } from '#shared/exposure/asset-rules/after-rules.ts';
import { groupOf } from '#shared/findings/bulk/queue.ts';
import type { StoredWanted } from '#shared/findings/bulk/wanted.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

/** The work, unless tasks of rules still decide which records are wanted. */
export const whenReady = async (work: Work, wanted: StoredWanted, lacking?: Lacking): Promise<Work | undefined> =>
  !work.task.checkpoint && 'selection' in wanted && followsRules(wanted.selection)
    ? afterRules(work, { group: groupOf(work.table, work.task), lacking })
    : work;
