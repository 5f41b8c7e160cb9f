import { collectors } from '#shared/entities/collector.ts';
import { CODE_HOSTS, INTEGRATION_STATUSES, type Integration, integrations } from '#shared/entities/integration.ts';
import { type Integrator, integrators } from '#shared/entities/integrator.ts';
import { now } from '#shared/runtime/clock.ts';
import type { Counts } from '#shared/table/counters.ts';
import type { Table } from '#shared/table/table.ts';
import { perValue } from './per-value.ts';
import { INTEGRATION_KINDS, type IntegrationsSummary } from './records.ts';
import { countsOf, sum } from './summaries.ts';

const MOST = 5;

type Kind = (typeof INTEGRATION_KINDS)[number];
type Failing = IntegrationsSummary['failing'][number];

/** Counters of accounts and machines, and the newest problems of each, read beside each other. */
export async function integrationsSummary(table: Table): Promise<IntegrationsSummary> {
  const silent = { by: 'silent', n: MOST };
  const [accounts, ofCollectors, ofIntegrators, failing, silentCollectors, silentIntegrators] = await Promise.all([
    table.facets(integrations),
    table.facets(collectors).then(statusesOf),
    table.facets(integrators).then(statusesOf),
    table.top(integrations, { by: 'failing', n: MOST }),
    table.top(collectors, silent),
    table.top(integrators, silent),
  ]);
  const byKind = perValue(INTEGRATION_KINDS, (kind: Kind) => {
    if (kind === 'collector') return sum(Object.values(ofCollectors));
    if (kind === 'integrator') return sum(Object.values(ofIntegrators));
    return CODE_HOSTS.some((host) => host === kind) ? (accounts[`kind:${kind}`] ?? 0) : 0;
  });
  const ofAccounts = countsOf(INTEGRATION_STATUSES, accounts, 'status');
  const problems = [
    ...failing.flatMap(problemOf),
    ...silentCollectors.flatMap((one) => silenceOf('collector', one)),
    ...silentIntegrators.flatMap((one) => silenceOf('integrator', one)),
  ];
  return {
    asOf: now(),
    total: sum(Object.values(byKind)),
    byKind,
    byStatus: perValue(
      INTEGRATION_STATUSES,
      (status) => ofAccounts[status] + ofCollectors[status] + ofIntegrators[status],
    ),
    failing: problems.toSorted((a, b) => (a.since < b.since ? 1 : -1)).slice(0, MOST),
  };
}

/** The states of machines in the words of integrations. One that never came is not well, but nothing failed. */
const statusesOf = (facets: Counts) => ({
  connected: facets['status:online'] ?? 0,
  degraded: facets['status:never_connected'] ?? 0,
  failed: facets['status:offline'] ?? 0,
  disabled: facets['status:disabled'] ?? 0,
});

const problemOf = ({ id, kind, name, error }: Integration): Failing[] =>
  error ? [{ id, kind, name, since: error.at, reason: error.message }] : [];

const silenceOf = (
  kind: 'collector' | 'integrator',
  { id, name, lastSeenAt }: Pick<Integrator, 'id' | 'name' | 'lastSeenAt'>,
): Failing[] => (lastSeenAt ? [{ id, kind, name, since: lastSeenAt, reason: 'It has not been heard of since.' }] : []);
