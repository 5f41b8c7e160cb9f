import type { PartScope } from '#shared/credentials/part.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applications } from './application.ts';

/** @param field names the part in the request @throws validation_failed for an application that does not exist */
export async function assertPartExists(table: Table, part: PartScope | null | undefined, field: string): Promise<void> {
  const wanted = [...new Set(part?.applicationIds)];
  const found = await table.findMany(applications, wanted);
  if (found.length < wanted.length) throw invalid(`${field}.applicationIds`, 'must be ids of applications');
}
