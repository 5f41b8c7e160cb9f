import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** `mark` is renewed with each change of a rule. `starter`: the newest starter rules that the organization got. */
type RulesMark = { mark: string; starter?: number };

export const detectionMarks = defineRow<RulesMark, object>({
  name: 'detection-rules',
  about: 'a mark that changes with the detection rules, and which starter rules the organization has',
  key: () => ['all'],
});

/** For the transaction that makes, changes or removes a rule. */
export const rulesChanged = ({ tenant }: Pick<Table, 'tenant'>, more: Partial<RulesMark> = {}): Write => ({
  change: rowKey(tenant, detectionMarks, {}),
  set: { mark: newId(), ...more },
});
