import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { scopeRows } from './scan-scope.ts';
import { emptyState, findSeen, findSeenById, type ScanState, unpackState } from './scan-state.ts';
import type { FindingRow, Seen } from './view.ts';

/** States are never rewritten under their key, so a state that was read stays right; each process keeps a few. */
const KEPT_BYTES = 32 * 1024 * 1024;
const kept = new Map<string, { state: Promise<ScanState>; bytes: number }>();

/** A complete finding also has the fingerprint, which finds its sighting faster. */
type Row = Pick<FindingRow, 'id' | 'scope'> & { fingerprint?: string };

/** The keys of the states of these scan scopes. */
async function stateKeys(table: Table, scopes: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(scopes)].filter((id) => id !== '');
  const rows = await table.rows(scopeRows).findMany(ids.map((id) => ({ id })));
  return new Map(rows.flatMap(({ id, stateKey }) => (stateKey === undefined ? [] : [[id, stateKey] as const])));
}

/** Scan scopes that an organization's last answers needed, by organization; the latest last. */
const usual = new Map<string, readonly string[]>();
const MAX_ORGANIZATIONS = 500;
/** The most scan scopes that are read beside a list of 25 findings, or beside the top five, within six units. */
const MAX_USUAL = 5;

/** The current keys of states by scan scope; undefined for a scan scope without a state. */
type KnownKeys = ReadonlyMap<string, string | undefined>;

/**
 * Reads the scan scopes of the last answer while the findings are still being found; `lastSeenWith` takes the result.
 * An organization's findings mostly come from the same scopes, and their rows then cost no round trip of their own. The
 * process remembers only the ids of scopes, never their rows.
 */
export async function usualStateKeys(table: Table): Promise<KnownKeys> {
  const scopes = usual.get(table.organizationId) ?? [];
  return keysByScope(scopes, await stateKeys(table, scopes));
}

const keysByScope = (scopes: readonly string[], found: ReadonlyMap<string, string>): KnownKeys =>
  new Map(scopes.map((scope) => [scope, found.get(scope)]));

function remember(organizationId: string, scopes: readonly string[]): void {
  if (scopes.length === 0) return;
  const all = [...new Set([...scopes, ...(usual.get(organizationId) ?? [])])];
  usual.delete(organizationId);
  usual.set(organizationId, all.slice(0, MAX_USUAL));
  const [oldest] = usual.keys();
  if (usual.size > MAX_ORGANIZATIONS && oldest !== undefined) usual.delete(oldest);
}

/** Scan scopes with the most findings first: these are worth remembering. */
function scopesOf(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>();
  for (const { scope } of rows) if (scope !== '') counts.set(scope, (counts.get(scope) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([scope]) => scope);
}

/**
 * When these findings were last seen: one read of their scan scopes' rows, and one of each state that is not in memory.
 * Only states record repeated sightings. A finding that no state has keeps the values of its row.
 */
export const lastSeen = (bucket: Bucket, table: Table, rows: readonly Row[]): Promise<Map<string, Seen>> =>
  lastSeenWith({ bucket, table, known: new Map() }, rows);

type Source = { bucket: Bucket; table: Table; known: KnownKeys };

/** The same where some scan scopes' state keys are known already, from `usualStateKeys`. */
export async function lastSeenWith({ bucket, table, known }: Source, rows: readonly Row[]): Promise<Map<string, Seen>> {
  const scopes = scopesOf(rows);
  remember(table.organizationId, scopes);
  const missing = scopes.filter((scope) => !known.has(scope));
  const keys = missing.length === 0 ? known : new Map([...known, ...(await stateKeys(table, missing))]);
  const replaced = await goneOf(bucket, keys, scopes);
  if (replaced.length === 0) return seenIn(bucket, keys, rows);
  return seenIn(bucket, new Map([...keys, ...(await stateKeys(table, replaced))]), rows);
}

/** Scan scopes whose state a scan replaced and removed after its key was read. */
async function goneOf(bucket: Bucket, keys: KnownKeys, scopes: readonly string[]): Promise<string[]> {
  const looked = await Promise.all(
    scopes.map(async (scope) => {
      const key = keys.get(scope);
      return key !== undefined && (await stateOf(bucket, key)) === emptyState ? [scope] : [];
    }),
  );
  return looked.flat();
}

/** The same where all of them are known. */
async function seenIn(bucket: Bucket, keys: KnownKeys, rows: readonly Row[]): Promise<Map<string, Seen>> {
  const found = await Promise.all(
    rows.map(async ({ id, scope, fingerprint }) => {
      const key = keys.get(scope);
      const state = key === undefined ? emptyState : await stateOf(bucket, key);
      const sighting = fingerprint === undefined ? undefined : findSeen(state, fingerprint);
      // under another name of its asset it was seen with another fingerprint
      const seen = sighting?.id === id ? sighting : findSeenById(state, id);
      if (!seen) return [];
      const { seenAt, occurrences, tool } = seen;
      return [[id, { lastSeenAt: new Date(seenAt).toISOString(), occurrences, tool }] as const];
    }),
  );
  return new Map(found.flat());
}

function stateOf(bucket: Bucket, key: string): Promise<ScanState> {
  const current = kept.get(key);
  if (current) return current.state;
  const entry = { bytes: 0, state: bucket.get(key).then(unpackState) };
  kept.set(key, entry);
  entry.state.then(
    (state) => {
      // an object that is missing may be put back
      if (state === emptyState) return kept.delete(key);
      entry.bytes = state.records.length;
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
