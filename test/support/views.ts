import { openViews } from '#functions/workers/views/list.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepViews } from '#shared/platform/views/follow.ts';

/** Brings all views of an organization up to date. */
export const followViews = async (connections: Connections, table: Table): Promise<boolean> =>
  keepViews(table, await openViews(connections), () => false);
