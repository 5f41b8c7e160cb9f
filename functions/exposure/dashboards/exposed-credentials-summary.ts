import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { TallyCount } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';
import { dayOf, monthOf } from '#shared/reports/report/time-measures.ts';
import {
  CREDENTIAL_SOURCES,
  CREDENTIAL_STATUSES,
  exposedCredentials,
} from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { daysAgo } from './days.ts';
import type { ExposedCredentialsSummary } from './records.ts';
import { countsOf, sum } from './summaries.ts';

const DAYS = 30;

/** Two kinds of counters and the oldest record, read beside each other. */
export async function exposedCredentialsSummary(table: Table): Promise<ExposedCredentialsSummary> {
  const at = nowMs();
  const asOf = new Date(at).toISOString();
  const from = daysAgo(at, DAYS - 1);
  const [facets, rotated, [oldest]] = await Promise.all([
    table.facets(exposedCredentials),
    table.tallies(exposedCredentials, 'rotated', { from: monthOf(from), to: monthOf(asOf) }),
    table.top(exposedCredentials, { by: 'active', n: 1 }),
  ]);
  const byStatus = countsOf(CREDENTIAL_STATUSES, facets, 'status');
  const figures = {
    asOf,
    total: sum(Object.values(byStatus)),
    byStatus,
    byKind: countsOf(CREDENTIAL_KINDS, facets, 'kind'),
    bySource: countsOf(CREDENTIAL_SOURCES, facets, 'source'),
    activeVerified: facets.activeVerified ?? 0,
    rotated30d: sum(rotated.map((month) => countedFrom(month, from))),
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

/** The records of a month on this day or later. */
const countedFrom = ({ value, counts }: TallyCount, day: string): number =>
  sum(Object.entries(counts).map(([name, n]) => (`${value}-${name}` >= day ? n : 0)));
