import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type ScopeRow, scopeRows } from './scan-scope.ts';
import { emptyState, findSeenById, type ScanState, unpackState } from './scan-state.ts';
import { openSightings } from './sightings.ts';
import type { FindingRow, Seen } from './view.ts';

type Row = Pick<FindingRow, 'id' | 'scope'>;

/** When the scans of a scope last saw a finding; undefined where no report has left the finding. */
type Look = (id: string) => Seen | undefined;
const NOTHING: Look = () => undefined;

/** Scan scopes by their ids; undefined for one without a row. */
type KnownScopes = ReadonlyMap<string, ScopeRow | undefined>;

async function readScopes(table: Table, scopes: readonly string[]): Promise<KnownScopes> {
  const rows = await table.rows(scopeRows).findMany(scopes.map((id) => ({ id })));
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(scopes.map((id) => [id, found.get(id)]));
}

/** Scan scopes that an organization's last answers needed, by organization; the latest last. */
const usual = new Map<string, readonly string[]>();
const MAX_ORGANIZATIONS = 500;
/** The most scan scopes that are read beside a list of 25 findings, or beside the top five, within six units. */
const MAX_USUAL = 5;

/**
 * Reads the scan scopes of the last answer while the findings are still being found; `lastSeenWith` takes the result.
 * An organization's findings mostly come from the same scopes, and their rows then cost no round trip of their own. The
 * process remembers only the ids of scopes, never their rows.
 */
export const usualScopes = (table: Table): Promise<KnownScopes> =>
  readScopes(table, usual.get(table.organizationId) ?? []);

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
 * When these findings were last seen: one read of their scan scopes' rows. Only these record repeated sightings. A
 * finding that its scope's scans do not have keeps the values of its row.
 */
export const lastSeen = (bucket: Bucket, table: Table, rows: readonly Row[]): Promise<Map<string, Seen>> =>
  lastSeenWith({ bucket, table, known: new Map() }, rows);

type Source = { bucket: Bucket; table: Table; known: KnownScopes };

/** The same where some scan scopes are known already, from `usualScopes`. */
export async function lastSeenWith({ bucket, table, known }: Source, rows: readonly Row[]): Promise<Map<string, Seen>> {
  const scopes = scopesOf(rows);
  remember(table.organizationId, scopes);
  const looks = await looksInto(bucket, known, scopes);
  // not known, or a scan has replaced and removed the state since
  const missing = scopes.filter((scope) => !looks.has(scope));
  const more = missing.length === 0 ? looks : await looksInto(bucket, await readScopes(table, missing), missing);
  const found = rows.map(({ id, scope }) => [id, (looks.get(scope) ?? more.get(scope) ?? NOTHING)(id)] as const);
  return new Map(found.flatMap(([id, seen]) => (seen ? [[id, seen] as const] : [])));
}

/** How to look into these scopes; none for a scope that is not known or whose state is gone. */
async function looksInto(bucket: Bucket, known: KnownScopes, scopes: readonly string[]): Promise<Map<string, Look>> {
  const found = await Promise.all(
    scopes.map(async (scope) => {
      if (!known.has(scope)) return [];
      const look = await lookOf(bucket, known.get(scope));
      return look ? [[scope, look] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** A row without sightings is of an earlier release, or they are too many: the state has them. */
async function lookOf(bucket: Bucket, { sightings, stateKey }: Partial<ScopeRow> = {}): Promise<Look | undefined> {
  if (sightings) return openSightings(sightings);
  if (stateKey === undefined) return NOTHING;
  const state = await stateOf(bucket, stateKey);
  return state === emptyState ? undefined : (id) => lookInto(state, id);
}

function lookInto(state: ScanState, id: string): Seen | undefined {
  const seen = findSeenById(state, id);
  return seen && { lastSeenAt: new Date(seen.seenAt).toISOString(), occurrences: seen.occurrences, tool: seen.tool };
}

/** States are never rewritten under their key, so a state that was read stays right; each process keeps a few. */
const KEPT_BYTES = 32 * 1024 * 1024;
const kept = new Map<string, { state: Promise<ScanState>; bytes: number }>();

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
