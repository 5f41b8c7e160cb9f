import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { collections } from '#shared/organizations/filtered.ts';
import { readMatching } from '#shared/platform/filter/read.ts';
import { filtered } from '#shared/platform/http/figures.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { StoredReport } from './report.ts';

/** A number with the path of the list of exactly the records that it counts. */
export type Figure = { value: number; list: string };

const LISTS = {
  finding: '/api/v1/findings',
  vulnerability: '/api/v1/vulnerabilities',
  asset: '/api/v1/assets',
  incident: '/api/v1/soc/incidents',
} as const;
type Listed = keyof typeof LISTS;

/** The facts of a report are gathered with this: what it is about, seen with the eyes of its maker, at one moment. */
export type Counting = Context & {
  report: StoredReport;
  /** Milliseconds since the epoch. */
  at: number;
  /** The days (UTC) on which the report is made and its period begins. */
  today: string;
  since: string;
  /** The findings that the report is about, as a filter; empty: all. */
  findings: string;
};

export const OPEN = `status:${OPEN_STATUSES.join()}`;

export const dayBefore = ({ at }: Pick<Counting, 'at'>, days: number): string =>
  new Date(at - days * DAY_MS).toISOString().slice(0, 10);

/** @throws validation_failed for a filter that is none */
export async function beginCounting(context: Context, report: StoredReport, at: number): Promise<Counting> {
  const day = (days: number) => dayBefore({ at }, days);
  const filter = await filterText(context, report);
  const about = [
    report.applicationId && `application:${report.applicationId}`,
    report.teamId && `team:${report.teamId}`,
    report.engagementId && `engagement:${report.engagementId}`,
    filter && `(${filter})`,
  ];
  const findings = about.filter(Boolean).join(' ');
  return { ...context, report, at, today: day(0), since: day(report.periodDays), findings };
}

async function filterText({ table }: Context, { filter, createdBy }: StoredReport): Promise<string | undefined> {
  if (filter === null || typeof filter === 'string') return filter ?? undefined;
  const { describeFilter } = await import('#shared/platform/filter/describe.ts');
  const read = await readMatching({ table, caller: createdBy }, findingFilter, filter);
  return describeFilter(read.filter, await findingFilter.fields()).text;
}

/** The condition of a filter, with `me` for the maker of the report. */
export async function matchingOf({ table, report }: Counting, entity: Listed, filter: string): Promise<Marked> {
  if (filter === '') return 'everything';
  const { fields } = collections[entity];
  return (await readMatching({ table, caller: report.createdBy }, { entity, fields }, filter)).within;
}

/** Counts the records of a list that fit a filter. */
export async function countOf(counting: Counting, entity: Listed, filter: string): Promise<Figure> {
  const matching = await matchingOf(counting, entity, filter);
  const page = await collections[entity].page?.(counting.table, { paginateFrom: 0, paginateSize: 0, matching });
  const list = filter === '' ? LISTS[entity] : filtered(LISTS[entity])(filter);
  return { value: page?.totalCount ?? 0, list };
}

/** Counts findings that the report is about. */
export const countFindings = (counting: Counting, filter: string): Promise<Figure> =>
  countOf(counting, 'finding', [counting.findings, filter].filter(Boolean).join(' '));

/** The assets that the report is about, as a filter. */
export const assetsOf = ({ report: { applicationId, teamId } }: Counting): string =>
  ['retired:false', applicationId && `application:${applicationId}`, teamId && `team:${teamId}`]
    .filter(Boolean)
    .join(' ');

/** Counts assets that the report is about. A filter of findings chooses no assets. */
export const countAssets = (counting: Counting, filter: string): Promise<Figure> =>
  countOf(counting, 'asset', [assetsOf(counting), filter].filter(Boolean).join(' '));

/** A figure for each of some filters. */
export async function countEach<K extends string>(
  count: (counting: Counting, filter: string) => Promise<Figure>,
  counting: Counting,
  filters: Readonly<Record<K, string>>,
): Promise<Record<K, Figure>> {
  const names = Object.keys(filters) as K[];
  const figures = await Promise.all(names.map((name) => count(counting, filters[name])));
  return Object.fromEntries(names.map((name, n) => [name, figures[n]])) as Record<K, Figure>;
}
