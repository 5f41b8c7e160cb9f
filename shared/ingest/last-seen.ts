import type { Bucket } from '../bucket.ts';
import type { FindingRow, Seen } from '../entities/finding-view.ts';
import type { Table } from '../table/table.ts';
import { findSeenById, type ScanState, unpackState } from './scan-state.ts';
import { scopeRows } from './scope.ts';

/** States are never rewritten under their key, so what was read stays right; a few are kept per process. */
const KEPT_BYTES = 32 * 1024 * 1024;
const kept = new Map<string, { state: Promise<ScanState>; bytes: number }>();

/** Where the states of these scopes lie. */
export async function stateKeys(table: Table, scopes: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(scopes)].filter((id) => id !== '');
  const rows = await table.rows(scopeRows).findMany(ids.map((id) => ({ id })));
  return new Map(rows.flatMap(({ id, stateKey }) => (stateKey === undefined ? [] : [[id, stateKey] as const])));
}

/**
 * When these findings were seen last. One read of their scopes' rows, and one of each state that is not in memory:
 * seeing a finding again is written nowhere else. A finding that no state has keeps what stands in its row.
 */
export async function lastSeen(
  bucket: Bucket,
  table: Table,
  rows: readonly Pick<FindingRow, 'id' | 'scope'>[],
): Promise<Map<string, Seen>> {
  const keys = await stateKeys(
    table,
    rows.map(({ scope }) => scope),
  );
  return seenIn(bucket, keys, rows);
}

/** The same where the states' keys are known already. */
export async function seenIn(
  bucket: Bucket,
  keys: ReadonlyMap<string, string>,
  rows: readonly Pick<FindingRow, 'id' | 'scope'>[],
): Promise<Map<string, Seen>> {
  const found = await Promise.all(
    rows.map(async ({ id, scope }) => {
      const key = keys.get(scope);
      const seen = key === undefined ? undefined : findSeenById(await stateOf(bucket, key), id);
      if (!seen) return [];
      const { seenAt, occurrences } = seen;
      return [[id, { lastSeenAt: new Date(seenAt * 1000).toISOString(), occurrences }] as const];
    }),
  );
  return new Map(found.flat());
}

function stateOf(bucket: Bucket, key: string): Promise<ScanState> {
  const standing = kept.get(key);
  if (standing) return standing.state;
  const entry = { bytes: 0, state: bucket.get(key).then(unpackState) };
  kept.set(key, entry);
  entry.state.then(
    ({ records }) => {
      entry.bytes = records.length;
      forgetOldest();
    },
    () => kept.delete(key),
  );
  return entry.state;
}

function forgetOldest(): void {
  let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
  for (const [key, one] of kept) {
    if (bytes <= KEPT_BYTES) return;
    kept.delete(key);
    bytes -= one.bytes;
  }
}
