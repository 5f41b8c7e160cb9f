import { findings } from '#shared/findings/finding/finding.ts';
import { contributionOf } from '#shared/platform/table/layout/contribution.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { fillRows } from '../fill-rows.ts';
import { benchFinding } from './model.ts';

/** One finding in so many was stored by a release that did not index CWEs: `rekey` has to bring it in. */
const OUTDATED = 100;

export const fillFindings = (table: Table, size: number): Promise<void> =>
  fillRows(table, findings, {
    size,
    itemAt: benchFinding,
    contributionAt(item, ordinal) {
      const contribution = contributionOf(findings, item);
      if (ordinal % OUTDATED !== 0) return contribution;
      return { ...contribution, marks: contribution.marks.filter((mark) => !mark.startsWith('cwe=')) };
    },
  });
