import type { Actor } from '#shared/platform/table/actor.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** One change of a finding that someone will ask about: who, when, from what to what, and why. */
type FindingChange = {
  findingId: string;
  /** The finding's version after the change. */
  version: number;
  at: string;
  by: Actor;
  changes: Record<string, { from: unknown; to: unknown }>;
  reason?: string | undefined;
  /** The ingest task of the scan that made the change. */
  scanTaskId?: string;
  /** The task that made the change together with changes of many other findings. */
  taskId?: string | undefined;
  /** The vulnerabilities whose decision the finding follows. */
  vulnerabilityIds?: string[] | undefined;
};

/** In order of version; `table.rows(findingHistory).query(findingId)` gives the whole history. */
export const findingHistory = defineRow<FindingChange, Pick<FindingChange, 'findingId' | 'version'>>({
  name: 'finding-change',
  about: 'one change of a finding: who, when, from which value to which, and why',
  key: ({ findingId, version }) => [findingId, String(version).padStart(8, '0')],
});

/** For the transaction that makes the change. */
export const historyWrite = (table: Table, change: FindingChange) =>
  putWrite(table.tenant, findingHistory, { row: change });
