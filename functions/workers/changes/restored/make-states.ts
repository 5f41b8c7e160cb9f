import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { FINDING_COLLECTIONS } from '#shared/findings/view/find.ts';
import { readScope, type ScopeRow, scopeRows, scopeWrite } from '#shared/findings/view/scan-scope.ts';
import { allSeen, type SeenRecord, stateOf, unpackState } from '#shared/findings/view/scan-state.ts';
import { keepState, stateKeyOf } from '#shared/findings/view/scope-state.ts';
import { openSightings } from '#shared/findings/view/sightings.ts';
import type { FindingRow, Seen } from '#shared/findings/view/view.ts';
import { type ImportedReport, importedReports } from '#shared/ingest/imported-report.ts';
import { scopeOfImport } from '#shared/ingest/submission.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import { keysOf, ordinalIn } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { recordsAfter } from '#shared/platform/table/upkeep/walk.ts';
import type { Checkpoint, Reached, Settling } from './settling.ts';

const TOGETHER = 500;
const READS_AT_ONCE = 20;

/**
 * Where records name scan scopes: imports also name scopes without a finding; findings also name scopes of earlier
 * releases.
 */
const NAMING = [importedReports, ...FINDING_COLLECTIONS];

/** Lists the scan scopes whose state is missing. */
export async function lookForStates(settling: Settling, at: Checkpoint): Reached {
  const { table, connections, missingFile } = settling;
  const entity = NAMING[at.collection];
  if (!entity) return undefined;
  const limits = { afterOrdinal: at.after, limit: TOGETHER };
  const { rows, next } = await recordsAfter(table.dynamo, keysOf(table.tenant, entity), limits);
  const named = rows.flatMap((row) =>
    at.collection === 0
      ? scopeOfImport(listItemOf<ImportedReport, never>(row))
      : listItemOf<StoredFinding, never>(row).scope,
  );
  const known = await readMissing(settling);
  const ids = [...new Set(named)].filter((id) => id !== '' && !known.includes(id));
  const scopes = await table.rows(scopeRows).findMany(
    ids.map((id) => ({ id })),
    true,
  );
  const looked = await eachAtOnce(scopes, READS_AT_ONCE, async (scope) =>
    (await isMissing(settling, scope)) ? [scope.id] : [],
  );
  const found = looked.flat();
  if (found.length > 0) await connections.bucket.put(missingFile, JSON.stringify([...known, ...found]));
  return { ...nextPlace(at, next), seen: at.seen + rows.length };
}

const nextPlace = (at: Checkpoint, after: number | undefined): Checkpoint =>
  after === undefined ? { ...at, collection: at.collection + 1, after: -1 } : { ...at, after };

const readMissing = async ({ connections, missingFile }: Settling): Promise<string[]> =>
  (await readJson<string[]>(connections.bucket, missingFile)) ?? [];

const isMissing = async ({ connections }: Settling, { stateKey }: ScopeRow): Promise<boolean> =>
  stateKey !== undefined && (await connections.bucket.size(stateKey)) === undefined;

/** Makes the missing states from the findings, part by part. */
export async function makeStates(settling: Settling, at: Checkpoint): Reached {
  const { table } = settling;
  const missing = new Set(await readMissing(settling));
  const entity = missing.size > 0 ? FINDING_COLLECTIONS[at.collection] : undefined;
  if (!entity) return undefined;
  const limits = { afterOrdinal: at.after, limit: TOGETHER };
  const { rows, next } = await recordsAfter(table.dynamo, keysOf(table.tenant, entity), limits);
  const ofMissing = rows.filter((row) => isSeenBy(missing, listItemOf<StoredFinding, never>(row)));
  const ordinals = ofMissing.map(({ sk }) => ordinalIn(sk));
  const whole = await wholeRecordsAt(table, entity, { ordinals, consistent: true });
  for (const [scope, some] of Map.groupBy(whole, (finding) => finding.scope))
    await addToState(settling, scope, some.map(seenOf));
  return { ...nextPlace(at, next), seen: at.seen + rows.length };
}

/** A scan that no longer sees a finding takes it out of the state. */
const isSeenBy = (scopes: ReadonlySet<string>, { scope, fixedByTaskId }: FindingRow): boolean =>
  scopes.has(scope) && fixedByTaskId === undefined;

/** The last sighting that the finding itself holds. */
const seenOf = ({
  fingerprint,
  id,
  contentHash,
  tool,
  lastSeenAt,
  reopenedAt,
  firstSeenAt,
  occurrences,
}: StoredFinding) => ({
  fingerprint,
  id,
  contentHash,
  tool,
  seenAt: Date.parse(lastSeenAt ?? reopenedAt ?? firstSeenAt),
  occurrences: occurrences ?? 1,
});

/** The copy may be of a release whose readers computed other identities. */
const OF_A_COPY = 1;

async function addToState(settling: Settling, scope: string, records: readonly SeenRecord[]): Promise<void> {
  const [current, { sightings }] = await Promise.all([readMade(settling, scope), readScope(settling.table, scope)]);
  const last = sightings && openSightings(sightings);
  const all = new Map([...current, ...records.map((one) => laterOf(one, last?.(one.id)))].map((one) => [one.id, one]));
  await keepState(settling, scope, stateOf([...all.values()], OF_A_COPY));
}

/**
 * The lost state held later sightings, and so does the scan scope's row. Where the row lacks them, also the category of
 * a tool is lost: then a finding of the tool closes only after a report has seen the finding again.
 */
function laterOf(record: SeenRecord, last: Seen | undefined): SeenRecord {
  if (!last) return record;
  const { lastSeenAt, occurrences, tool = record.tool } = last;
  return { ...record, seenAt: Date.parse(lastSeenAt), occurrences, tool };
}

async function readMade({ table, connections, task }: Settling, scope: string): Promise<SeenRecord[]> {
  return [...allSeen(unpackState(await connections.bucket.get(stateKeyOf(table, scope, task))))];
}

/** Makes the scan scopes point to their new states. */
export async function pointToStates(settling: Settling, at: Checkpoint): Reached {
  const { table } = settling;
  const some = (await readMissing(settling)).slice(at.collection, at.collection + READS_AT_ONCE);
  if (some.length === 0) return undefined;
  const pointed = await eachAtOnce(some, READS_AT_ONCE, async (id) => {
    // nothing was made of a scan scope without findings
    const left = await keepState(settling, id, stateOf(await readMade(settling, id), OF_A_COPY));
    return retry(async () => {
      const current = await readScope(table, id);
      if (current.stateKey !== left.stateKey && !(await isMissing(settling, current))) return false;
      await table.write(scopeWrite(table, current, { ...current, ...left }));
      return true;
    });
  });
  return { ...at, collection: at.collection + some.length, made: at.made + pointed.filter(Boolean).length };
}
