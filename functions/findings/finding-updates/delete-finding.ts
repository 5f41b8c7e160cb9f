import { isManual } from '#shared/findings/finding/manual.ts';
import { deleteFinding } from '#shared/findings/triage/change.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import type { Deletion } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';

const REPORTED =
  'A report brought this finding, and the next would bring it again. Set its status to false_positive or out_of_scope; a ' +
  'mistaken import is undone, and a mistaken asset is deleted with its findings.';

/** The finding, if a person wrote it. @throws not_found, conflict */
export async function assertManual(table: Table, id: string) {
  const found = await getFinding(table, id, true);
  if (!isManual(found.finding)) throw conflict(REPORTED);
  return found;
}

/** Deletes a finding that a person wrote. @throws not_found, conflict */
export const deleteManualFinding = (table: Table, id: string): Promise<Deletion> =>
  retry(async () => {
    const { entity, finding } = await assertManual(table, id);
    await table.commit((batch) => deleteFinding({ table, batch, entity }, finding));
    return { id, deletedAt: now() };
  });
