import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/**
 * Renewed with each change of a rule, so that no worker writes the results of former rules to an asset. `taskId`: the
 * task of the last change, which takes further changes along while it waits.
 */
type RulesMark = { mark: string; taskId?: string };

export const rulesMarks = defineRow<RulesMark, object>({
  name: 'asset-rules',
  about: 'a mark that changes with the rules about assets; absent: the organization never had one',
  key: () => ['all'],
});

/** For the transaction that makes, changes or removes a rule. */
export const rulesChanged = ({ tenant }: Table, taskId?: string): Write =>
  putWrite(tenant, rulesMarks, { row: { mark: newId(), ...(taskId !== undefined && { taskId }) } });
