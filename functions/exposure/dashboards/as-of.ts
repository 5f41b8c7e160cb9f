import { applications } from '#shared/exposure/applications/application.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { countedOn, firstDay, isKept, KEPT_DAYS, KEPT_MONTHS, lastOf } from '#shared/platform/table/daily.ts';
import type { Entity, Part } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { daysAgo, lastDays, lastMonths } from '#shared/reporting/figures/days.ts';
import { totalsOf } from './totals.ts';

type Of = { applicationId?: string | undefined; assetTag?: string | undefined };
type AsOf = Of & { asOf?: string | undefined; from?: string | undefined; by?: 'day' | 'month' | undefined };

export const isAsOf = (asked: AsOf): boolean => Object.values(asked).some((value) => value !== undefined);

type Counted<S extends string> = {
  entity: Pick<Entity, 'name' | 'shards' | 'main' | 'inPart'>;
  statuses: readonly S[];
};

/**
 * The figures at the end of a day (of the present day: now), of all records, an application or a tag of assets. Lists have the
 * present records, so that no figure has a link.
 * @throws validation_failed for a day that is not counted, not_found for the application
 */
export async function figuresAsOf<const S extends string>(
  table: Table,
  { entity, statuses }: Counted<S>,
  { asOf = daysAgo(nowMs(), 0), from, by, ...of }: AsOf,
) {
  const today = daysAgo(nowMs(), 0);
  if (asOf > today) throw invalid('asOf', `must be ${today} or earlier`);
  const before = from === undefined && by === undefined ? [] : daysBefore(asOf, { from, by });
  const counts = await countsOf(table, entity, { days: [...before, asOf], of });
  const count = counts.at(-1);
  const { dynamo, tenant } = table;
  const first = count ? undefined : ((await firstDay({ dynamo, tenant, entity })) ?? today);
  if (first && asOf < first) throw invalid('asOf', `must be ${first} or later: earlier days have no figures`);
  if (!isKept(asOf, today)) throw invalid('asOf', NOT_KEPT);
  const history = [...before, asOf].flatMap((date, n) =>
    counts[n] ? [{ date, ...figuresOf(statuses, counts[n]) }] : [],
  );
  return {
    asOf: `${asOf}T23:59:59.999Z`,
    ...figuresOf(statuses, count),
    ...(before.length > 0 && { history }),
    links: { list: {} },
  };
}

const NOT_KEPT = `must be one of the last ${KEPT_DAYS} days, or the last day of a month: other days have no figures any more`;

const USUAL_DAYS = 30;
const USUAL_MONTHS = 12;

/** The days, or the last days of months, from one on and before another. @throws validation_failed */
function daysBefore(asOf: string, { from, by = 'day' }: Pick<AsOf, 'from' | 'by'>): string[] {
  const end = Date.parse(asOf);
  if (from !== undefined && from >= asOf) throw invalid('from', 'must be earlier than asOf');
  if (by === 'month') {
    const days = lastMonths(end, KEPT_MONTHS).map(lastOf);
    const first = from?.slice(0, 7) ?? days.at(-USUAL_MONTHS) ?? '';
    if (first < (days[0] ?? '').slice(0, 7)) throw invalid('from', `must be at most ${KEPT_MONTHS} months before asOf`);
    return days.filter((day) => first <= day && day < asOf);
  }
  const oldest = daysAgo(nowMs(), KEPT_DAYS);
  if ((from ?? asOf) < oldest) throw invalid('from', `must be ${oldest} or later: send by=month for earlier figures`);
  const first = from === undefined ? end - (USUAL_DAYS - 1) * DAY_MS : Date.parse(from);
  return lastDays(end, (end - first) / DAY_MS + 1).slice(0, -1);
}

type Wanted = { days: readonly string[]; of: Of };

/** @throws validation_failed, not_found for the application */
async function countsOf(table: Table, entity: Counted<string>['entity'], { days, of }: Wanted) {
  const { applicationId, assetTag } = of;
  assertCountedFor(table.part, applicationId);
  if (applicationId !== undefined && assetTag !== undefined)
    throw invalid('assetTag', 'must be left out beside applicationId');
  const group = applicationId === undefined ? tagged(assetTag) : { name: 'application', value: applicationId };
  const { dynamo, tenant } = table;
  const [counts] = await Promise.all([
    countedOn({ dynamo, tenant, entity }, { days, ...(group && { group }) }),
    applicationId === undefined ? undefined : table.get(applications, applicationId),
  ]);
  return counts;
}

/** Counters of a day are of all records, of an application or of a tag: a part has those of its applications. */
function assertCountedFor(part: Part | undefined, applicationId: string | undefined): void {
  if (!part || (applicationId !== undefined && part.applicationIds?.includes(applicationId))) return;
  throw new ApiError(
    'insufficient_scope',
    'Your role is for a part of the organization: send `applicationId` with an application of your `scope`, or leave `asOf` and ' +
      '`assetTag` out.',
  );
}

const tagged = (tag: string | undefined) =>
  tag === undefined ? undefined : { name: 'assetTag', value: caseless(tag) };

type Count = Awaited<ReturnType<typeof countedOn>>[number];

const figuresOf = <const S extends string>(statuses: readonly S[], count: Count) =>
  totalsOf(statuses, (filter) => count?.(filter) ?? 0);
