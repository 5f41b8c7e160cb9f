import { conflict } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type ScannerTask, scannerTasks } from '../scanner-tasks/scanner-task.ts';
import { scannerGroups } from '../scanners/scanner-group.ts';

/** The number of an organization's tasks in a group or pool. */
export async function tasksOf(table: Table, groupId: string, consistent = false) {
  const { pending = 0, running = 0 } = await table.tally(scannerTasks, 'group', groupId, consistent);
  return { pending, running };
}

/** For the transaction that removes a group: no task waits for it or runs in it at that moment. */
export const unusedChecks = (scope: string, groupId: string): Write[] =>
  keysOf(scope, scannerTasks)
    .tallyRows('group', groupId)
    .map((check) => ({
      check,
      condition: {
        ConditionExpression: '(attribute_not_exists(#p) OR #p <= :none) AND (attribute_not_exists(#r) OR #r <= :none)',
        ExpressionAttributeNames: { '#p': 'pending', '#r': 'running' },
        ExpressionAttributeValues: { ':none': 0 },
      },
      fail: () => conflict('This scanner group has new tasks: delete the group after their end.'),
    }));

/**
 * For the transaction that makes tasks: each of their groups exists at that moment. Otherwise the tasks are placed
 * again.
 */
export function groupChecks(scope: string, tasks: readonly Pick<ScannerTask, 'scannerGroupId'>[]): Write[] {
  const groupIds = new Set(tasks.flatMap(({ scannerGroupId }) => scannerGroupId ?? []));
  return [...groupIds].map((id) => ({
    check: keysOf(scope, scannerGroups).record(ordinalOf(id)),
    condition: { ConditionExpression: 'attribute_exists(pk)' },
    fail: () => new Error(`the scanner group ${id} was removed while tasks were made for it`),
  }));
}
