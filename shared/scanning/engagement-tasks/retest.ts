import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { covers } from '#shared/assets/targets/covers.ts';
import { check } from '#shared/platform/http/validate.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isTargetType } from '#shared/reports/report/asset-type.ts';
import { type Engagement, EngagementCreate, engagements } from '../engagements/engagement.ts';

/** The most findings that an engagement names for a retest. */
const MAX_NAMED = 200;

type Found = { id: string; engagementId?: string | undefined; asset: { id: string } };
type Asked = { found: readonly Found[]; title: string };

/**
 * The engagement that found most of these findings, again, with its targets that have the findings. A range stays
 * whole: its scan closes the findings of the earlier scan of the same range, and a scan of one of its hosts does not.
 * @returns undefined where no scanning engagement found them: only a new report can prove them gone
 */
export async function retestOf(table: Table, { found, title }: Asked): Promise<EngagementCreate | undefined> {
  const own = foundByOne(found);
  const source = own[0]?.engagementId ? await table.find(engagements, own[0].engagementId, true) : undefined;
  if (!source || source.taskTypes.length === 0) return undefined;
  const targets = await targetsOf(table, source, own);
  if (targets.length === 0) return undefined;
  const { exclusions, taskTypes, parameters, scannerGroupId, publicScannerGroupId, ...rest } = source;
  const { credentialIds, windows, intensity, rulesOfEngagement } = rest;
  return check(
    EngagementCreate,
    {
      targets,
      exclusions,
      taskTypes,
      parameters,
      scannerGroupId,
      publicScannerGroupId,
      credentialIds,
      windows,
      intensity,
      rulesOfEngagement,
      title: shortened(`Retest: ${title}`, 199),
      kind: 'retest',
      retestOf: { engagementId: source.id, findingIds: own.slice(0, MAX_NAMED).map(({ id }) => id) },
    },
    'body',
  );
}

/** The findings of the engagement that found most of them. */
function foundByOne(found: readonly Found[]): readonly Found[] {
  const scanned = found.filter(({ engagementId }) => engagementId !== undefined);
  const groups = [...Map.groupBy(scanned, ({ engagementId }) => engagementId).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

async function targetsOf(table: Table, { targets }: Engagement, found: readonly Found[]) {
  const lain = await table.findMany(assets, [...new Set(found.map(({ asset }) => asset.id))]);
  const isOn =
    (target: Engagement['targets'][number]) =>
    ({ type, value, zone }: Asset) =>
      isTargetType(type) && target.zone === zone && covers(target, { type, value });
  return targets.filter((target) => lain.some(isOn(target)));
}
