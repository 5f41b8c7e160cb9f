import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets, namedAsset } from '#shared/assets/asset/known-assets.ts';
import { type KeyedFinding, listedAssetName } from '#shared/findings/finding/reported.ts';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { FileError } from '#shared/platform/runtime/errors.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { unstorable } from '#shared/platform/runtime/storable.ts';
import { readJson, readLines } from '#shared/platform/runtime/stored-json.ts';
import { readReport } from '#shared/reports/formats/read.ts';
import { Inventories, namedIdentifiers } from '#shared/reports/readers/inventories.ts';
import type { ReportEvent, ReportFinding, ReportInventory } from '#shared/reports/report/report.ts';
import { assetFor, inOneSpelling } from './asset-for.ts';
import { type Entry, entryOf, type ReportTool, sourceOf } from './entry.ts';
import { placeOf, storeInventories, tellsSomething } from './inventory/reported.ts';
import { takePassed, takeReached } from './last-scans.ts';
import { type Manifest, newManifest, reject, takeExtent } from './manifest.ts';
import { openReport, verifyWhole } from './open-report.ts';
import { withZones } from './placing.ts';
import { keyedFinding } from './secrets.ts';
import type { Session } from './session.ts';
import { keepSightings, noteSighted, type Sighted } from './sightings.ts';

const CHUNK_ENTRIES = 2000;
const CHUNK_CHARACTERS = 4 * 1024 * 1024;

type Intake = {
  session: Session;
  manifest: Manifest;
  tool: ReportTool;
  seen: Set<string>;
  /** Those of the first chunk, in case that it remains the only one. */
  entries: Entry[];
  lines: string[];
  size: number;
  /** Findings whose assets are still to be read. */
  pending: Pending[];
  sighted: Sighted;
  inventories: Inventories;
};

type Pending = { asset: AssetIdentity; finding: KeyedFinding; tool: ReportTool };

/**
 * Phase 1: the whole report, as it streams, into chunks of entries in the bucket. Nothing else is written before its
 * end is seen, because a report may prove broken only there. One that fits a chunk is not written at all.
 */
async function parseReport(session: Session): Promise<Manifest> {
  const manifest = newManifest();
  const intake: Intake = {
    session,
    manifest,
    tool: { name: '' },
    seen: new Set(),
    entries: [],
    lines: [],
    size: 0,
    pending: [],
    sighted: new Map(),
    inventories: new Inventories(),
  };
  try {
    for await (const event of readReport(session.submission.format, () => openReport(session)))
      await takeEvent(intake, event);
    await takePending(intake);
    await verifyWhole(session);
    assertUsable(manifest, intake.inventories);
    await keepSightings(session, intake.sighted);
    await storeInventories(session, intake.inventories, manifest.chunks > 0);
  } catch (error) {
    await session.connections.bucket.remove(chunkKeys(session, manifest));
    throw failureOf(error);
  }
  if (manifest.chunks === 0) session.entries = intake.entries;
  else {
    await flush(intake);
    await session.connections.bucket.put(session.files.manifest, JSON.stringify(manifest));
  }
  return manifest;
}

/** A report that exceeds a limit of the engine (the length of a text, the depth of calls) does so at every attempt. */
function failureOf(error: unknown): unknown {
  if (error instanceof FileError) return new TaskFailure(error.code, error.message);
  if (error instanceof RangeError)
    return new TaskFailure('too_large', 'The report has a part that is too large to be read: split the scan.');
  return error;
}

export const chunkKeys = ({ files }: Session, { chunks }: Manifest): string[] =>
  Array.from({ length: chunks }, (_, n) => files.chunk(n));

/** The manifest of the report, from an earlier slice or from reading the report now. */
export async function loadManifest(session: Session): Promise<Manifest> {
  const kept = await readJson<Manifest>(session.connections.bucket, session.files.manifest);
  session.manifest = kept ?? (await parseReport(session));
  return session.manifest;
}

export async function loadChunk({ connections, files, entries }: Session, chunk: number): Promise<Entry[]> {
  if (entries) return chunk === 0 ? entries : [];
  const bytes = await connections.bucket.get(files.chunk(chunk));
  if (!bytes) throw new Error(`${files.chunk(chunk)} is gone`);
  return readLines<Entry>(await unzipped(bytes));
}

async function takeEvent(intake: Intake, event: ReportEvent): Promise<void> {
  const { manifest } = intake;
  if (event.kind === 'finding') return takeFinding(intake, event.finding);
  if (event.kind === 'rejected') rejectUnread(manifest, { reason: event.reason, where: event.where });
  if (event.kind === 'incomplete') manifest.incomplete = true;
  if (event.kind === 'inventory') takeInventory(intake, event.inventory);
  if (event.kind === 'tool') {
    intake.tool = event;
    const source = sourceOf(event);
    if (!manifest.tools.includes(source)) manifest.tools.push(source);
    if (!manifest.toolNames?.includes(event.name)) manifest.toolNames?.push(listedAssetName(event.name));
  }
  if (event.kind === 'looked') takeExtent(manifest.covered, event);
  if (event.kind === 'passed') takePassed(manifest, event);
  if (event.kind === 'covered') {
    const names = [inOneSpelling(event.target).value, ...event.aliases].map(listedAssetName);
    manifest.covered[event.outcome === 'reached' ? 'reached' : 'unreached'].push(...names);
    const { zone = null } = intake.session.submission;
    if (event.outcome !== 'reached') return;
    takeReached(manifest, event.target);
    noteSighted(intake.sighted, { ...inOneSpelling(event.target), zone });
    if (event.target.type === 'host' && event.aliases.length > 0)
      intake.inventories.add({ asset: event.target, identifiers: namedIdentifiers(event.aliases) });
  }
}

function takeInventory({ session, inventories, sighted, tool }: Intake, inventory: ReportInventory): void {
  const { zone = null } = session.submission;
  const asset = placeOf(session.submission, inventory);
  inventories.add(inventory);
  const source = tellsSomething(inventory) ? listedAssetName(tool.name) : undefined;
  if (asset) noteSighted(sighted, { ...asset, zone }, source);
}

/** An entry that could not be read may be any missing finding. */
function rejectUnread(manifest: Manifest, rejected: { reason: string; where: string }): void {
  reject(manifest, rejected);
  manifest.incomplete = true;
}

async function takeFinding(intake: Intake, finding: ReportFinding): Promise<void> {
  const { manifest, session, tool } = intake;
  const asset = assetFor(session.submission, finding);
  if (!asset) {
    reject(manifest, { reason: 'it lies outside the target of the scan', where: finding.asset?.value ?? 'no asset' });
    return;
  }
  const problem = unstorable(finding);
  if (problem) {
    const reason = `its ${problem.path.join('.')} ${problem.message}`;
    rejectUnread(manifest, { reason, where: finding.location.path ?? finding.ruleId });
    return;
  }
  const { zone = null } = session.submission;
  const keyed = await keyedFinding(session, { ...asset, zone }, finding);
  if (keyed.isKeyed) manifest.secrets = true;
  if (intake.pending.push({ asset: { ...asset, zone }, finding: keyed, tool }) >= MAX_PENDING)
    await takePending(intake);
}

/** So many findings wait together for their assets to be read. */
const MAX_PENDING = 200;

/** Reads the assets that were not read before, each once, and takes what waits for them. */
async function takePending(intake: Intake): Promise<void> {
  const { session, pending } = intake;
  intake.pending = [];
  const places = await withZones(
    session,
    pending.map(({ asset }) => asset),
  );
  await learnKnownAssets(session.table, session.assets, places.map(assetKey));
  for (const [n, { finding, tool, ...reported }] of pending.entries()) {
    const asset = places[n] ?? reported.asset;
    const named = namedAsset(session.assets, asset);
    noteSighted(intake.sighted, asset, listedAssetName(tool.name));
    await takeEntry(intake, entryOf(session.submission, tool, { finding, asset: named, onBranch: session.onBranch }));
  }
}

async function takeEntry(intake: Intake, entry: Entry): Promise<void> {
  const { manifest, seen } = intake;
  if (seen.has(entry.fingerprint)) return;
  seen.add(entry.fingerprint);
  manifest.findings += 1;
  await addEntry(intake, entry);
}

async function addEntry(intake: Intake, entry: Entry): Promise<void> {
  if (intake.lines.length === CHUNK_ENTRIES || intake.size > CHUNK_CHARACTERS) await flush(intake);
  const line = JSON.stringify(entry);
  if (intake.manifest.chunks === 0) intake.entries.push(entry);
  intake.lines.push(line);
  intake.size += line.length;
}

async function flush(intake: Intake): Promise<void> {
  const { session, manifest, lines } = intake;
  const chunk = manifest.chunks;
  manifest.chunks += 1;
  await session.connections.bucket.put(session.files.chunk(chunk), await zipped(lines.join('\n'), 1));
  Object.assign(intake, { entries: [], lines: [], size: 0 });
}

function assertUsable({ findings, rejected, rejectedCount }: Manifest, inventories: Inventories): void {
  if (findings > 0 || inventories.tell || rejectedCount === 0) return;
  const [first] = rejected;
  throw new TaskFailure(
    'invalid_report',
    `None of the report's ${rejectedCount} entries can be used. The first: ${first?.where}: ${first?.reason}.`,
  );
}
