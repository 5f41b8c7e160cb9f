import { hash } from 'node:crypto';
import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets, type NamedAsset, namedAsset } from '#shared/assets/asset/known-assets.ts';
import { readingKeyOf } from '#shared/findings/view/scope-state.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { readLines } from '#shared/platform/runtime/stored-json.ts';
import type { ReportInventory } from '#shared/reports/report/report.ts';
import type { Line } from './entry.ts';
import type { Manifest } from './manifest.ts';
import type { Accepted } from './phases.ts';
import { withZones } from './placing.ts';
import { readingRelease } from './release.ts';
import type { Sighted } from './sightings.ts';

/** The name of an asset in a report, and its zone and its names as the service knows them. */
export type Naming = { reported: AssetIdentity; place: AssetIdentity; named: NamedAsset };

/** The result of reading a report, without the entries. */
type Made = {
  manifest: Manifest;
  /** The entries depend on these, beside the report and what is in the key. */
  namings: Naming[];
  sighted: { asset: AssetIdentity; tools: string[] }[];
  inventories: ReportInventory[];
};

/** `chunks`: gzipped lines, without the findings that the report has at their places. */
export type Reading = Made & { chunks: Uint8Array[] };

/** The first line of a kept reading, with the sizes of the parts behind it: `Made` as gzipped JSON, and the chunks. */
type Header = { key: string; sizes: number[] };

/**
 * Everything but the names of assets that decides what is read from a report; undefined where the report's checksum is not known. The value of the
 * commit, and the task and the run of a scanner, are not in the entries.
 */
async function readingKey({ submission, onBranch }: Accepted): Promise<string | undefined> {
  const { report, commit, scannerTaskId: _task, runId: _run, siblings: _siblings, ...scan } = submission;
  const [checksum, encoding] = 'upload' in report ? [report.upload.checksum] : [report.checksum, report.encoding];
  if (checksum === undefined) return undefined;
  const { branch, defaultNames, base } = onBranch ?? {};
  const parts = [await readingRelease(), checksum, encoding, commit === undefined, branch?.name, defaultNames, base];
  return hash('sha256', JSON.stringify([...parts, Object.entries(scan).toSorted()]));
}

/** Keeps a reading for the next report of the scan scope, in place of the former one. */
export async function keepReading(accepted: Accepted, made: Made, chunks: readonly Uint8Array[]): Promise<void> {
  const key = await readingKey(accepted);
  if (key === undefined) return;
  const parts = [await zipped(JSON.stringify(made), 1), ...chunks];
  const header: Header = { key, sizes: parts.map(({ length }) => length) };
  await accepted.connections.bucket.put(
    placeOf(accepted),
    Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]),
  );
}

const placeOf = ({ table, scope }: Accepted): string => readingKeyOf(table, scope);

/** The reading of the same report by an earlier import of the scan scope; undefined where the report may be read otherwise now. */
export async function findReading(accepted: Accepted): Promise<Reading | undefined> {
  const [key, bytes] = await Promise.all([readingKey(accepted), accepted.connections.bucket.get(placeOf(accepted))]);
  const { key: kept, parts } = bytes ? unpack(bytes) : {};
  const [made, ...chunks] = parts ?? [];
  if (!made || kept !== key) return undefined;
  const reading: Reading = { ...JSON.parse(await unzipped(made)), chunks };
  return (await areNamedAlike(accepted, reading)) ? reading : undefined;
}

function unpack(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = buffer.indexOf(10) + 1;
  const { key, sizes } = JSON.parse(buffer.toString('utf8', 0, end)) as Header;
  const parts = sizes.map((size) => {
    end += size;
    return buffer.subarray(end - size, end);
  });
  return { key, parts };
}

async function areNamedAlike(accepted: Accepted, { namings }: Made): Promise<boolean> {
  const { table, learned } = accepted;
  const places = await withZones(
    accepted,
    namings.map(({ reported }) => reported),
  );
  await learnKnownAssets(table, learned.assets, places.map(assetKey));
  const now = places.map((place) => [place, namedAsset(learned.assets, place)]);
  return JSON.stringify(now) === JSON.stringify(namings.map(({ place, named }) => [place, named]));
}

export const sightedIn = ({ sighted }: Made): Sighted =>
  new Map(sighted.map(({ asset, tools }) => [assetKey(asset), { asset, tools: new Set(tools) }]));

export const linesOf = async (chunk: Uint8Array): Promise<Line[]> => readLines<Line>(await unzipped(chunk));
