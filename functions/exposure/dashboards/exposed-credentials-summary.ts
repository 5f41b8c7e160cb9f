import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { MAX_PAGE_SIZE } from '#shared/platform/http/pagination.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Counts, TallyCount } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { daysAgo } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';
import { dayOf, monthOf } from '#shared/reports/report/time-measures.ts';
import {
  CREDENTIAL_SOURCES,
  CREDENTIAL_STATUSES,
  exposedCredentials,
  type StoredCredential,
} from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import type { ExposedCredentialsSummary } from './records.ts';
import { seenCounts } from './seen-counts.ts';
import { countsOf } from './summaries.ts';

const DAYS = 30;

export async function exposedCredentialsSummary(table: Table): Promise<ExposedCredentialsSummary> {
  const at = nowMs();
  const asOf = new Date(at).toISOString();
  const from = daysAgo(at, DAYS - 1);
  const within = { from, to: dayOf(asOf) };
  const { facets, rotated30d, oldest } = await (table.part ? seenCredentials : countedCredentials)(table, within);
  const byStatus = countsOf(CREDENTIAL_STATUSES, facets, 'status');
  const figures = {
    asOf,
    total: sum(Object.values(byStatus)),
    byStatus,
    byKind: countsOf(CREDENTIAL_KINDS, facets, 'kind'),
    bySource: countsOf(CREDENTIAL_SOURCES, facets, 'source'),
    activeVerified: facets.activeVerified ?? 0,
    rotated30d,
    oldestActiveSeconds: oldest ? Math.max(0, Math.round((at - Date.parse(oldest.firstSeenAt)) / 1000)) : null,
  };
  const path = '/api/v1/exposed-credentials';
  const of = filtered(path);
  return withLists(figures, {
    total: path,
    byStatus: (status) => of(`status:${status}`),
    byKind: (kind) => of(`kind:${kind}`),
    bySource: (source) => of(`source:${source}`),
    activeVerified: of('status:active verified:true'),
    rotated30d: of(`rotated:${from}..${dayOf(asOf)}`),
    oldestActiveSeconds: null,
  });
}

type Days = { from: string; to: string };
type Oldest = Pick<StoredCredential, 'firstSeenAt'> | undefined;

/** Two kinds of counters and the oldest record, read beside each other. */
async function countedCredentials(table: Table, { from, to }: Days) {
  const [facets, rotated, [oldest]] = await Promise.all([
    table.facets(exposedCredentials),
    table.tallies(exposedCredentials, 'rotated', { from: monthOf(from), to: monthOf(to) }),
    table.top(exposedCredentials, { by: 'active', n: 1 }),
  ]);
  return { facets, rotated30d: sum(rotated.map((month) => countedFrom(month, from))), oldest };
}

/** The same of the credentials that a caller with a part of the organization sees. */
async function seenCredentials(table: Table, days: Days) {
  const active: Marked = { name: 'status', values: ['active'] };
  const sets: Record<string, Marked> = {
    activeVerified: { all: [active, { name: 'verified', values: ['true'] }] },
    rotated30d: { order: 'rotated', ...days },
    ...Object.fromEntries(CREDENTIAL_KINDS.map((kind) => [`kind:${kind}`, { name: 'kind', values: [kind] }])),
    ...Object.fromEntries(CREDENTIAL_SOURCES.map((one) => [`source:${one}`, { name: 'source', values: [one] }])),
  };
  const [{ of, inSet }, oldest] = await Promise.all([seenCounts(table, exposedCredentials, { sets }), oldestOf(table)]);
  const facets: Counts = Object.fromEntries([
    ...Object.keys(sets).map((name) => [name, inSet(name)]),
    ...CREDENTIAL_STATUSES.map((status) => [`status:${status}`, of({ status })]),
  ]);
  return { facets, rotated30d: inSet('rotated30d'), oldest };
}

/** The order of the whole organization does not reach the few records of a narrow part: those are read. */
async function oldestOf(table: Table): Promise<Oldest> {
  const asked = { paginateFrom: 0, where: { status: 'active' } };
  const some = await table.list(exposedCredentials, { ...asked, paginateSize: MAX_PAGE_SIZE });
  if (some.totalCount <= some.data.length)
    return some.data.toSorted((a, b) => (a.firstSeenAt < b.firstSeenAt ? -1 : 1))[0];
  return (await table.list(exposedCredentials, { ...asked, paginateSize: 1, sort: 'active' })).data[0];
}

/** The records of a month on this day or later. */
const countedFrom = ({ value, counts }: TallyCount, day: string): number =>
  sum(Object.entries(counts).map(([name, n]) => (`${value}-${name}` >= day ? n : 0)));
