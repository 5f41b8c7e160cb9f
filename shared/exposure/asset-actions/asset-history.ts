import type { Actor } from '#shared/platform/table/actor.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** One change of an asset that someone will ask about: who, when, from what to what, and by which task. */
type AssetChange = {
  assetId: string;
  /** The asset's version after the change. */
  version: number;
  at: string;
  by: Actor;
  changes: Record<string, { from: unknown; to: unknown }>;
  reason: string;
  taskId: string;
};

/** In order of version; `table.rows(assetHistory).query(assetId)` gives the whole history. */
export const assetHistory = defineRow<AssetChange, Pick<AssetChange, 'assetId' | 'version'>>({
  name: 'asset-change',
  about: 'one change of an asset: who, when, from which value to which, and why',
  key: ({ assetId, version }) => [assetId, String(version).padStart(8, '0')],
});

/** For the transaction that makes the change. */
export const assetHistoryWrite = (table: Table, change: AssetChange) =>
  putWrite(table.tenant, assetHistory, { row: change });
