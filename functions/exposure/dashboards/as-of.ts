import { applications } from '#shared/exposure/applications/application.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { countedOn, firstDay } from '#shared/platform/table/daily.ts';
import type { Entity } from '#shared/platform/table/entity.ts';
import { assertWhole } from '#shared/platform/table/part.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { daysAgo } from './days.ts';
import { sum } from './summaries.ts';

type AsOf = { asOf?: string | undefined; applicationId?: string | undefined; assetTag?: string | undefined };

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
  { applicationId, assetTag, ...asked }: AsOf,
) {
  assertWhole(entity, table.part);
  const today = daysAgo(nowMs(), 0);
  const { asOf = today } = asked;
  if (asOf > today) throw invalid('asOf', `must be ${today} or earlier`);
  if (applicationId !== undefined && assetTag !== undefined)
    throw invalid('assetTag', 'must be left out beside applicationId');
  const group = applicationId === undefined ? tagged(assetTag) : { name: 'application', value: applicationId };
  const { dynamo, tenant } = table;
  const [count] = await Promise.all([
    countedOn({ dynamo, tenant, entity }, { day: asOf, ...(group && { group }) }),
    applicationId === undefined ? undefined : table.get(applications, applicationId),
  ]);
  if (!count) await assertCounted({ dynamo, tenant, entity }, { asOf, today });
  const of = (filter: Record<string, string>) => count?.(filter) ?? 0;
  const byStatus = perValue(statuses, (status) => of({ status }));
  const openOf = (filter: Record<string, string>) => sum(OPEN_STATUSES.map((status) => of({ ...filter, status })));
  const figures = {
    asOf: `${asOf}T23:59:59.999Z`,
    total: of({}),
    open: openOf({}),
    byStatus,
    bySeverity: perValue(Severity.options, (severity) => of({ severity })),
    openBySeverity: perValue(Severity.options, (severity) => openOf({ severity })),
  };
  return { ...figures, links: { list: {} } };
}

const tagged = (tag: string | undefined) =>
  tag === undefined ? undefined : { name: 'assetTag', value: caseless(tag) };

type Days = { asOf: string; today: string };

async function assertCounted(source: Parameters<typeof firstDay>[0], { asOf, today }: Days): Promise<void> {
  const first = await firstDay(source);
  if (asOf < (first ?? today))
    throw invalid('asOf', `must be ${first ?? today} or later: earlier days have no figures`);
}
