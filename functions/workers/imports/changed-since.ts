import type { findings } from '#shared/findings/finding/finding.ts';
import { newsSince, type Position, readPosition } from '#shared/platform/feed/news.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Remembered } from './remembered.ts';

/** The findings that changed since a scan, for the time in which a report is applied. */
export type ChangedSince = {
  /** The end of the change feed before the first finding was read. */
  position: () => Promise<Position>;
  /** The newest versions of the findings that changed until now; undefined where the feed has too many changes. */
  versions: () => Promise<ReadonlyMap<string, number> | undefined>;
};

/** A change is about as much to read as a row: reading all rows costs less than reading more changes. */
const mostFor = (findings: number): number => 2 * findings + 1_000;

/** @param remembered the findings that the scan saw, and the end of the feed before it */
export function changedSince(
  table: Table,
  { name }: typeof findings,
  { since, count }: Pick<Remembered, 'since' | 'count'>,
): ChangedSince {
  const versions = new Map<string, number>();
  let [last, isLost] = [since, since === undefined];
  let first: Position | undefined;
  const read = async (): Promise<Position> => {
    const { position, changes } = await (last && !isLost ? newsSince(table, last, mostFor(count)) : lost(table));
    for (const { entity, id, version } of changes ?? [])
      if (entity === name) versions.set(id, Math.max(version, versions.get(id) ?? 0));
    isLost ||= changes === undefined;
    last = position;
    first ??= position;
    return position;
  };
  return {
    position: async () => first ?? read(),
    async versions() {
      if (!isLost || !first) await read();
      return isLost ? undefined : versions;
    },
  };
}

const lost = async (table: Table) => ({ position: await readPosition(table), changes: undefined });
