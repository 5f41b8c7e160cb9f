import * as z from 'zod';
import { type Caller, isStaff } from '#shared/platform/auth/permissions.ts';
import { Id } from '#shared/platform/http/records.ts';
import { ApiError, notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { tableOfFindings } from '#shared/scanning/engagements/assigned.ts';
import { getFinding } from '../view/find.ts';

/** The query of an operation that changes a finding. */
export const OfEngagement = z.object({
  engagementId: Id.optional().meta({
    description: 'the engagement of the finding: staff of the provider name one that they lead or work on',
  }),
});

type Named = { id: string; engagementId?: string | undefined };

/**
 * The table in which a caller changes a finding. Staff change only the findings of an engagement that they name and work on.
 * @throws validation_failed, not_found
 */
export async function tableOfFinding(table: Table, caller: Caller, { id, engagementId }: Named): Promise<Table> {
  if (engagementId === undefined) {
    if (!isStaff(caller)) return table;
    throw new ApiError(
      'not_found',
      `There is no finding ${id}. For a finding of an engagement, send its engagementId.`,
    );
  }
  const owner = await tableOfFindings(table, caller, engagementId);
  const { finding } = await getFinding(owner, id, true);
  if (finding.engagementId !== engagementId) throw notFound('finding', id);
  return owner;
}
