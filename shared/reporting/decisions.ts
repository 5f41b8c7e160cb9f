import { assets } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { acceptanceOf } from '#shared/findings/finding/finding-decision.ts';
import { accountNames } from '#shared/people/names.ts';
import { teams } from '#shared/people/team.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Counting, dayBefore, type Figure, matchingOf } from './counting.ts';

/** A decision that readers may be asked for, about the records of a list. */
type Asked<T> = { text: T; of: 'finding' | 'asset'; figure: Figure };

const DECISIONS = 3;
/** Owner and date come from so many of the records that a decision is about. */
const LOOKED_AT = 100;
const DAYS_TO_DECIDE = 14;

/** The first three of which there is something to decide, each with who decides it and until when. */
export async function decisionsFrom<T>(counting: Counting, asked: readonly Asked<T>[]) {
  const some = asked.filter(({ figure }) => figure.value > 0).slice(0, DECISIONS);
  return Promise.all(
    some.map(async (one) => {
      const matching = await matchingOf(counting, one.of, filterIn(one.figure.list));
      const { owners, dates } = await (one.of === 'finding' ? ofFindings : ofAssets)(counting.table, matching);
      const ahead = dates.map((date) => date.slice(0, 10)).filter((day) => day >= counting.today);
      const [first] = ahead.toSorted();
      return { ...one, owners, decideBy: first ?? dayBefore(counting, -DAYS_TO_DECIDE) };
    }),
  );
}

const filterIn = (list: string): string => new URLSearchParams(list.split('?')[1]).get('filter') ?? '';

type Matching = Awaited<ReturnType<typeof matchingOf>>;

/** Findings belong to the person who works on them, otherwise to the owner of the asset. Their dates are the due dates, or the ends of acceptances. */
async function ofFindings(table: Table, matching: Matching) {
  const { data } = await table.list(findings, { paginateFrom: 0, paginateSize: LOOKED_AT, matching, sort: 'priority' });
  const found = await table.findMany(
    assets,
    data.map(({ asset }) => asset.id),
  );
  const ownerOf = await ownersOf(table, found);
  const byId = new Map(found.map((asset) => [asset.id, ownerOf(asset)]));
  const names = data.map(({ assignee, asset }) => assignee?.name ?? byId.get(asset.id));
  const dates = data.flatMap((one) => acceptanceOf(one)?.until ?? one.dueAt ?? []);
  return { owners: mostNamed(names), dates };
}

async function ofAssets(table: Table, matching: Matching) {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: LOOKED_AT, matching });
  return { owners: mostNamed(data.map(await ownersOf(table, data))), dates: [] };
}

type Owned = Parameters<typeof applicationsOf>[0] & { ownerId?: string | null | undefined };

/** The name of the owner of an asset, or of the owner of an application that has it. */
async function ownersOf(table: Table, some: readonly Owned[]): Promise<(asset: Owned) => string | undefined> {
  const known = await table.findMany(applications, some.flatMap(applicationsOf));
  const owners = new Map(known.map(({ id, ownerId }) => [id, ownerId]));
  const idOf = (asset: Owned) => asset.ownerId ?? applicationsOf(asset).flatMap((id) => owners.get(id) ?? [])[0];
  const ids = some.flatMap((asset) => idOf(asset) ?? []);
  const [people, groups] = await Promise.all([accountNames(table, ids), table.findMany(teams, ids)]);
  const names = new Map([...people, ...groups.map(({ id, name }) => [id, name] as const)]);
  return (asset) => names.get(idOf(asset) ?? '');
}

/** Names, the one that is named most often first. */
function mostNamed(names: readonly (string | undefined)[]): string[] {
  const named = names.filter((name) => name !== undefined);
  const groups = [...Map.groupBy(named, (name) => name)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  return groups.map(([name]) => name);
}
