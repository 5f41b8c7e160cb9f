import { nowMs } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import type { Table } from '../table/table.ts';
import { putTimer } from '../timers/timers.ts';

/** Has the sweeper see whether the scan of a branch has ended, for the transaction that ends one of its tasks or reports. */
export const scanEndTimer = ({ organizationId }: Table, taskId: string): Write =>
  putTimer({ kind: 'scan-end', at: nowMs(), organizationId, id: taskId });
