import { openViews } from '#functions/workers/views/list.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';
import { keepViews } from '#shared/views/follow.ts';

/** Brings all views of an organization up to date. */
export const followViews = async (connections: Connections, table: Table): Promise<boolean> =>
  keepViews(table, await openViews(connections), () => false);
