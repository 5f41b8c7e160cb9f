import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';

/** Has the sweeper see whether the scan of a branch has ended, for the transaction that ends one of its tasks or reports. */
export const scanEndTimer = ({ organizationId }: Table, taskId: string): Write =>
  putTimer({ kind: 'scan-end', at: nowMs(), organizationId, id: taskId });
