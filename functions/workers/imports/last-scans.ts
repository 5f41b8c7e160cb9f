import { type Asset, type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets } from '#shared/assets/asset/known-assets.ts';
import { lookChanges, withoutLooks } from '#shared/assets/asset/look.ts';
import type { AssetLook } from '#shared/assets/controls/asset-look.ts';
import { lookOf } from '#shared/assets/controls/tool-look.ts';
import { provesNothing } from '#shared/findings/closing/proven-gone.ts';
import { ensureAssets } from '#shared/findings/finding/assets.ts';
import { targetKey } from '#shared/ingest/imported-report.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { formatOf } from '#shared/reports/formats/formats.ts';
import type { ReportAsset, ReportEvent } from '#shared/reports/report/report.ts';
import { inOneSpelling } from './asset-for.ts';
import { importFiles } from './import-files.ts';
import type { Manifest } from './manifest.ts';
import type { Applied } from './phases.ts';
import { withZones } from './placing.ts';

/** Targets of one report on which a look is noted; those after them keep their former one. */
const MAX_REACHED = 20_000;

/** Where `passed` has the checks that name no asset. */
const TARGET = '';

export function takeReached({ looked }: Manifest, target: ReportAsset): void {
  if (looked.reached.length < MAX_REACHED) looked.reached.push(target);
}

type Passed = Extract<ReportEvent, { kind: 'passed' }>;

export function takePassed({ looked }: Manifest, { check, asset }: Passed): void {
  const target = asset ? targetKey(asset) : TARGET;
  const { benchmark, checks } = looked.passed[target] ?? { benchmark: check.benchmark, checks: [] };
  if (benchmark === check.benchmark && !checks.includes(check.key))
    looked.passed[target] = { benchmark, checks: [...checks, check.key] };
}

type Seen = { asset: AssetIdentity; passed: AssetLook['passed'] };

/**
 * Says on the assets that a report covers which tools looked at them. Only a report that would prove a finding gone is a look, and
 * only one of the default branch: what another branch lacks says nothing about the software that is used.
 */
export async function noteLooks(read: Applied): Promise<Applied> {
  const { table, submission, manifest, onBranch, taskId, at, connections, files } = read;
  const tools = manifest.toolNames.filter(lookOf);
  if (tools.length === 0 || !(onBranch?.branch.isDefault ?? true)) return read;
  const format = await formatOf(submission.format);
  // a report that names its targets needs none of the import
  const scan = { ...submission, target: submission.target ?? manifest.looked.reached[0] };
  if (provesNothing({ scan, format, facts: manifest })) return read;
  const seen = lookedAt(read, format.namesTargets ?? false);
  const byId = await idsOf(read, seen);
  if (byId.size === 0) return read;
  await connections.bucket.put(files.looked, JSON.stringify([...byId.keys()]));
  const look = { day: at.slice(0, 10), taskId };
  await changeEach(table, [...byId.keys()], (asset) => {
    const passed = byId.get(asset.id)?.passed;
    let looked: Pick<Asset, 'looks'> = asset;
    for (const tool of tools) looked = lookChanges(looked, { tool, ...look, ...(passed && { passed }) }) ?? looked;
    return looked === asset ? undefined : { looks: looked.looks };
  });
  return read;
}

/** The assets of a scan's target, or those of the targets that its report names. */
function lookedAt({ submission, manifest }: Applied, namesTargets: boolean): Seen[] {
  const { target, zone = null, source } = submission;
  const { reached, passed } = manifest.looked;
  if (namesTargets && (source === 'import' || target?.type === 'cidr'))
    return reached.map((asset) => ({ asset: { ...asset, zone }, passed: passed[targetKey(asset)] }));
  if (!target || target.type === 'cidr') return [];
  const [only, ...others] = Object.values(passed);
  const asset = inOneSpelling({ type: target.type, value: target.value });
  const own = passed[targetKey(asset)] ?? (others.length === 0 ? only : passed[TARGET]);
  return [{ asset: { ...asset, zone }, passed: own }];
}

/** The assets by their ids. A target becomes an asset by a scan that found nothing; a host that merely answers in a range does not. */
async function idsOf(read: Applied, seen: readonly Seen[]): Promise<Map<string, Seen>> {
  const {
    table,
    at,
    taskId,
    learned: { assets: known },
  } = read;
  const places = await withZones(
    read,
    seen.map(({ asset }) => asset),
  );
  await ensureAssets(table, places.filter(isTarget(read)), { at, known, importId: taskId });
  await learnKnownAssets(table, known, places.map(assetKey), true);
  return new Map(
    seen.flatMap((one, n) => {
      const id = known.get(assetKey(places[n] ?? one.asset))?.id;
      return id === undefined ? [] : [[id, one] as const];
    }),
  );
}

const isTarget =
  ({ submission: { target } }: Applied) =>
  ({ type, value }: AssetIdentity): boolean =>
    type !== 'host' || (target?.type === 'host' && target.value === value);

/** Takes back the looks of an import that is undone. What its tools saw before it is not known any more. */
export async function forgetLooks({ table, connections }: Work, taskId: string): Promise<void> {
  const files = importFiles(table.organizationId, taskId);
  const ids = (await readJson<string[]>(connections.bucket, files.looked)) ?? [];
  await changeEach(table, ids, (asset) => withoutLooks(asset, (look) => look.taskId === taskId));
}

async function changeEach(
  table: Table,
  ids: readonly string[],
  changesOf: (asset: Asset) => Partial<Asset> | undefined,
): Promise<void> {
  await retry(async (attempt) => {
    const current = await table.findMany(assets, ids, attempt > 1);
    const changed = current.flatMap((asset) => {
      const changes = changesOf(asset);
      return changes ? [[asset, table.changed<Asset, never>(asset, changes)] as const] : [];
    });
    await commitMany(table.batch, changed, (batch, [asset, next]) => batch.update(assets, asset, next));
  }, isConflict);
}
