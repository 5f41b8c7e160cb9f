import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { checkMark } from '#shared/assets/controls/compliance-counters.ts';
import { lookOf } from '#shared/assets/controls/tool-look.ts';
import type { Look, Weakness } from '#shared/assets/controls/weakness.ts';
import type { AssetGroup } from '#shared/exposure/compliance/counted.ts';
import type { Control, Framework } from '#shared/exposure/compliance/framework.ts';
import { lookedAtBy } from '#shared/exposure/compliance/weaknesses.ts';
import { findingAsset } from '#shared/findings/finding/assets.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { listFindings } from '#shared/findings/view/listed.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';

const MAX_LOOKS = 10;
const page = { paginateFrom: 0, paginateSize: MAX_LOOKS };

type Asked = { framework: Framework; control: Control; group: AssetGroup };

/**
 * The newest findings that fail a control and the newest assets that tools checked: pages of two lists, from their
 * indexes.
 */
export async function evidenceOf(context: Context, asked: Asked) {
  const [{ data: findings, totalCount: findingsCount }, looks] = await Promise.all([
    failing(context, asked),
    lookedAt(context.table, asked),
  ]);
  return { findings, findingsCount, looks };
}

/** The zone as the index spells it. */
const zoneOf = ({ zone }: AssetGroup): string | undefined => (zone === undefined ? undefined : caseless(zone));

function failing(context: Context, { framework, control, group }: Asked) {
  const { applicationId: application, assetType } = group;
  const where = given({
    weakness: control.weaknesses,
    check: marksOf(framework, control),
    status: [...OPEN_STATUSES, 'risk_accepted'],
    zone: zoneOf(group),
    application,
    assetType,
  });
  return listFindings(context, { ...page, where });
}

const marksOf = ({ benchmark }: Framework, { checks }: Control): string[] | undefined =>
  benchmark && checks?.map((key) => checkMark({ benchmark: benchmark.id, key }));

/** Tools of code make some checks of benchmarks. */
const ofCode: Look = 'infrastructure_code';

async function lookedAt(table: Table, { framework, control, group }: Asked) {
  const wanted = framework.benchmark ? [lookOf(framework.benchmark.tool), ofCode] : looksFor(control.weaknesses ?? []);
  const looked = [...new Set(wanted)].filter((look) => look !== undefined);
  if (looked.length === 0) return [];
  const { applicationId: application, assetType: type } = group;
  const where = given({ looked, zone: zoneOf(group), application, type });
  const { data } = await table.list(assets, { ...page, where });
  return data.map((asset) => ({ asset: findingAsset(asset, asset.id), looks: ofKinds(asset, looked) }));
}

const looksFor = (weaknesses: readonly Weakness[]): Look[] =>
  weaknesses.flatMap((weakness) => Object.values(lookedAtBy(weakness)).flat());

const ofKinds = ({ looks = [] }: Pick<Asset, 'looks'>, kinds: readonly Look[]) =>
  looks.filter(({ tool }) => kinds.some((kind) => kind === lookOf(tool)));
