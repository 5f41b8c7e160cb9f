import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets, namedAsset } from '#shared/assets/asset/known-assets.ts';
import { type KeyedFinding, listedAssetName } from '#shared/findings/finding/reported.ts';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { FileError } from '#shared/platform/runtime/errors.ts';
import { unstorable } from '#shared/platform/runtime/storable.ts';
import { readReport as eventsOf } from '#shared/reports/formats/read.ts';
import { Inventories, namedIdentifiers } from '#shared/reports/readers/inventories.ts';
import type {
  ReportAsset,
  ReportEvent,
  ReportFinding,
  ReportInventory,
  Statement,
} from '#shared/reports/report/report.ts';
import { folderOf } from './apart.ts';
import { aliasIn, assetFor, inOneSpelling } from './asset-for.ts';
import { digestOf } from './commit-scan.ts';
import { type Entry, entryOf, type Line, type ReportTool, sourceOf } from './entry.ts';
import { addLine, type Filling, flush, makeRoom, packKept, takeRepeated } from './fill-chunks.ts';
import { placeOf, storeInventories, tellsSomething } from './inventory/reported.ts';
import { keepReading, linesOf, type Naming } from './kept-reading.ts';
import { takePassed, takeReached } from './last-scans.ts';
import { CHUNK_ENTRIES, type Manifest, newManifest, reject, takeExtent, takeGap } from './manifest.ts';
import { mergeRepeats } from './merge-repeated.ts';
import { openReport, verifyWhole } from './open-report.ts';
import type { Accepted, Read } from './phases.ts';
import { withZones } from './placing.ts';
import { keyedFinding } from './secrets.ts';
import { keepSightings, noteSighted, type Sighted } from './sightings.ts';
import type { Slice } from './slicer.ts';
import { storeStatements } from './stated/document.ts';
import { type IsUnchanged, RepeatsUnchanged, unchangedSince } from './unchanged.ts';

type Intake = Filling & {
  tool: ReportTool;
  /** The chunk and the line of each fingerprint. */
  seen: Map<string, number>;
  /** The names of the assets of findings, by those in the report. */
  namings: Map<string, Naming>;
  /** Findings whose assets are still to be read. */
  pending: Pending[];
  sighted: Sighted;
  /** The current names of assets that the report calls otherwise. */
  named: Set<string>;
  folders: Set<string>;
  inventories: Inventories;
  statements: Statement[];
  /** So many findings the report has named until now, with those that are rejected. */
  findings: number;
  isUnchanged: IsUnchanged;
};

type Pending = { asset: AssetIdentity; finding: KeyedFinding; tool: ReportTool; nth: number };

/** Reads the report whole, except for the findings of entries that did not change. */
export async function readSent(accepted: Accepted, slice: Pick<Slice, 'startedMs'>): Promise<Read> {
  try {
    return await parseReport(accepted, slice, await unchangedSince(accepted));
  } catch (error) {
    if (!(error instanceof RepeatsUnchanged)) throw error;
    return parseReport(accepted, slice, () => false);
  }
}

/**
 * The whole report, as it streams, into chunks of entries in the bucket. Nothing else is written before its
 * end is seen, because a report may prove broken only there. One that fits a chunk is not written at all.
 */
async function parseReport(
  accepted: Accepted,
  { startedMs }: Pick<Slice, 'startedMs'>,
  isUnchanged: IsUnchanged,
): Promise<Read> {
  const { connections, files } = accepted;
  const intake: Intake = {
    accepted,
    manifest: newManifest(),
    tool: { name: '' },
    seen: new Map(),
    namings: new Map(),
    repeats: new Map(),
    kept: { lines: [], chunks: [] },
    entries: [],
    lines: [],
    size: 0,
    pending: [],
    sighted: new Map(),
    named: new Set(),
    folders: new Set(),
    inventories: new Inventories(),
    statements: [],
    findings: 0,
    isUnchanged,
  };
  const { manifest, statements } = intake;
  const inventories = await takeReport(intake, startedMs);
  if (manifest.chunks > 0) await flush(intake);
  await keep(intake, inventories);
  if (manifest.chunks === 0) return { ...accepted, manifest, inventories, statements, entries: intake.entries };
  await connections.bucket.put(files.manifest, JSON.stringify(manifest));
  return { ...accepted, manifest, inventories, statements };
}

/**
 * Keeps the reading for when the report comes again. Secrets are compared with others each time, a document decides each time, and a chunk of which a later
 * entry repeats a problem is only whole in its own file.
 */
async function keep(intake: Intake, inventories: ReportInventory[]): Promise<void> {
  const { accepted, manifest, kept, namings, sighted } = intake;
  await packKept(intake);
  if (!kept || manifest.secrets || manifest.document) return;
  const seen = [...sighted.values()].map(({ asset, tools }) => ({ asset, tools: [...tools] }));
  await keepReading(accepted, { manifest, namings: [...namings.values()], sighted: seen, inventories }, kept.chunks);
}

/** A report of these types may name many assets. */
const MAY_HAVE_ALIAS: readonly string[] = ['host', 'url', 'cloud_account', 'application'];

async function takeReport(intake: Intake, startedMs: number): Promise<ReportInventory[]> {
  const { accepted, manifest } = intake;
  try {
    const { submission } = accepted;
    const { target, source, format } = submission;
    const open = () => openReport(accepted, startedMs);
    if (source === 'import' && target && MAY_HAVE_ALIAS.includes(target.type))
      manifest.alias = await aliasIn(target, eventsOf(format, open, submission));
    for await (const event of eventsOf(format, open, submission)) await takeEvent(intake, event);
    await takePending(intake);
    await mergeRepeats(accepted, intake.repeats);
    await verifyWhole(accepted);
    assertUsable(intake);
    for (const { asset } of intake.sighted.values()) intake.named.add(listedAssetName(asset.value));
    manifest.named = [...intake.named];
    manifest.digest = digestOf(accepted, intake.seen.keys());
    if (intake.folders.size <= MAX_FOLDERS) manifest.folders = [...intake.folders];
    await keepSightings(accepted, intake.sighted);
    if (manifest.document) manifest.statements = intake.statements.length;
    await storeStatements(accepted, intake.statements, manifest.chunks > 0);
    const inventories = [...intake.inventories.all()];
    await storeInventories(accepted, inventories, manifest.chunks > 0);
    return inventories;
  } catch (error) {
    await accepted.connections.bucket.remove(chunkKeys({ files: accepted.files, manifest }));
    throw failureOf(error);
  }
}

/** A report that exceeds a limit of the engine (the length of a text, the depth of calls) does so at every attempt. */
function failureOf(error: unknown): unknown {
  if (error instanceof FileError) return new TaskFailure(error.code, error.message);
  if (error instanceof RangeError)
    return new TaskFailure('too_large', 'The report has a part that is too large to be read: split the scan.');
  return error;
}

export const chunkKeys = ({ files, manifest }: Pick<Read, 'files' | 'manifest'>): string[] =>
  Array.from({ length: manifest.chunks }, (_, n) => files.chunk(n));

export async function loadChunk({ connections, files, entries }: Read, chunk: number): Promise<Line[]> {
  if (entries) return chunk === 0 ? entries : [];
  const bytes = await connections.bucket.get(files.chunk(chunk));
  if (!bytes) throw new Error(`${files.chunk(chunk)} is gone`);
  return linesOf(bytes);
}

async function takeEvent(intake: Intake, event: ReportEvent): Promise<void> {
  const { manifest } = intake;
  if (event.kind === 'finding') return takeFinding(intake, event.finding);
  if (event.kind === 'rejected') rejectUnread(manifest, { reason: event.reason, where: event.where });
  if (event.kind === 'incomplete') takeIncomplete(manifest, event);
  if (event.kind === 'document') manifest.document = event.document;
  if (event.kind === 'statement') {
    if (intake.accepted.submission.decides === false) throw noStatements();
    intake.statements.push(event.statement);
  }
  if (event.kind === 'inventory') takeInventory(intake, event.inventory);
  if (event.kind === 'tool') {
    intake.tool = event;
    const source = sourceOf(event);
    if (!manifest.tools.includes(source)) manifest.tools.push(source);
    if (!manifest.toolNames.includes(event.name)) manifest.toolNames.push(listedAssetName(event.name));
  }
  if (event.kind === 'looked') takeExtent(manifest.covered, event);
  if (event.kind === 'passed' && !isElsewhere(intake, event.asset))
    takePassed(manifest, { ...event, asset: event.asset && calledByTarget(intake, event.asset) });
  if (event.kind === 'covered' && !isElsewhere(intake, event.target)) takeCovered(intake, event);
}

/** Whether the sender may not report on an asset. */
const isElsewhere = ({ accepted: { submission } }: Intake, asset: ReportAsset | null | undefined): boolean =>
  submission.targetOnly === true && assetFor(submission, { asset: asset ?? null }) === undefined;

const noStatements = (): TaskFailure =>
  new TaskFailure(
    'insufficient_scope',
    'The report has statements that decide on findings (VEX): a key that may only import cannot send them. Send them with the scope findings:write.',
  );

const takeIncomplete = (
  manifest: Manifest,
  { kind: _kind, ...gap }: Extract<ReportEvent, { kind: 'incomplete' }>,
): void => takeGap(manifest, gap);

type Covered = Extract<ReportEvent, { kind: 'covered' }>;

function takeCovered(intake: Intake, { target, aliases, outcome, reason = '' }: Covered): void {
  const { accepted, manifest, inventories, sighted } = intake;
  const asset = calledByTarget(intake, target);
  const names = [inOneSpelling(target).value, ...aliases, asset.value];
  const covered = manifest.covered[outcome === 'reached' ? 'reached' : 'unreached'];
  covered.push(...new Set(names.map(listedAssetName)));
  if (outcome === 'failed') takeGap(manifest, { ...UNREACHED, first: `${target.value}${reason && `, ${reason}`}` });
  if (outcome !== 'reached') return;
  for (const name of names) intake.named.add(listedAssetName(name));
  takeReached(manifest, asset);
  noteSighted(sighted, { ...asset, zone: accepted.submission.zone ?? null });
  const others = target.value === manifest.alias ? [target.value, ...aliases] : aliases;
  if (target.type === 'host' && others.length > 0)
    inventories.add({ asset: target, identifiers: namedIdentifiers(others) });
}

const UNREACHED = { code: 'not_reached', count: 1, thing: 'target', partly: true } as const;

/** An import reports about the target also where its report has another name for the target. */
function calledByTarget({ accepted, manifest }: Intake, asset: ReportAsset): ReportAsset {
  const { submission } = accepted;
  const named = submission.source === 'import' && assetFor({ ...submission, alias: manifest.alias }, { asset });
  return named || inOneSpelling(asset);
}

function takeInventory({ accepted, manifest, inventories, sighted, tool }: Intake, inventory: ReportInventory): void {
  const { zone = null } = accepted.submission;
  const asset = placeOf({ ...accepted.submission, alias: manifest.alias }, inventory);
  inventories.add(inventory);
  const source = tellsSomething(inventory) ? listedAssetName(tool.name) : undefined;
  if (asset) noteSighted(sighted, { ...asset, zone }, source);
}

/** An entry that could not be read may be any missing finding. */
function rejectUnread(manifest: Manifest, rejected: { reason: string; where: string }): void {
  reject(manifest, rejected);
  takeGap(manifest, { code: 'entry_rejected', count: 1 });
}

async function takeFinding(intake: Intake, finding: ReportFinding): Promise<void> {
  const { manifest, accepted, tool, findings: nth } = intake;
  intake.findings += 1;
  const asset = assetFor({ ...accepted.submission, alias: manifest.alias }, finding);
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
  const { zone = null } = accepted.submission;
  const keyed = await keyedFinding(accepted, { ...asset, zone }, finding);
  if (keyed.isKeyed) manifest.secrets = true;
  if (intake.pending.push({ asset: { ...asset, zone }, finding: keyed, tool, nth }) >= MAX_PENDING)
    await takePending(intake);
}

/** A report of more folders is of a whole repository. */
const MAX_FOLDERS = 5000;

/** So many findings wait together for their assets to be read. */
const MAX_PENDING = 200;

/** Reads the assets that were not read before, each once, and takes what waits for them. */
async function takePending(intake: Intake): Promise<void> {
  const { accepted, pending } = intake;
  intake.pending = [];
  const places = await withZones(
    accepted,
    pending.map(({ asset }) => asset),
  );
  await learnKnownAssets(accepted.table, accepted.learned.assets, places.map(assetKey));
  for (const [n, { finding, tool, nth, ...reported }] of pending.entries()) {
    const asset = places[n] ?? reported.asset;
    const known = assetKey(reported.asset);
    const named = namedAsset(accepted.learned.assets, asset);
    if (!intake.namings.has(known)) intake.namings.set(known, { reported: reported.asset, place: asset, named });
    noteSighted(intake.sighted, asset, listedAssetName(tool.name));
    intake.named.add(listedAssetName(named.identity.value));
    const placed = { finding, asset: named, onBranch: accepted.onBranch };
    await takeEntry(intake, entryOf(accepted.submission, tool, placed), nth);
  }
}

async function takeEntry(intake: Intake, entry: Entry, nth: number): Promise<void> {
  const { manifest, seen } = intake;
  const first = seen.get(entry.fingerprint);
  if (first !== undefined) return takeRepeated(intake, entry, first);
  await makeRoom(intake);
  seen.set(entry.fingerprint, manifest.chunks * CHUNK_ENTRIES + intake.lines.length);
  manifest.findings += 1;
  const { path } = entry.finding.location;
  if (path !== undefined && intake.folders.size <= MAX_FOLDERS) intake.folders.add(folderOf(path));
  addLine(intake, entry, { nth, isUnchanged: intake.isUnchanged(entry) });
}

function assertUsable({ manifest, inventories, statements }: Intake): void {
  const { findings, rejected, rejectedCount } = manifest;
  if (findings > 0 || statements.length > 0 || inventories.tell || rejectedCount === 0) return;
  const [first] = rejected;
  throw new TaskFailure(
    'invalid_report',
    `None of the report's ${rejectedCount} entries can be used. The first: ${first?.where}: ${first?.reason}.`,
  );
}
