import { applications } from '#shared/exposure/applications/application.ts';
import { fixedLimit } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The sweeper scores all of them once a day. */
const MAX_APPLICATIONS = 500;

/** @throws conflict for an organization that has as many applications as it may have */
export async function assertRoom(table: Table): Promise<void> {
  const { totalCount } = await table.list(applications, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_APPLICATIONS) throw fixedLimit('An organization', MAX_APPLICATIONS, 'applications');
}
