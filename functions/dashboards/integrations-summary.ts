import { collectors } from '#shared/entities/collector.ts';
import { CODE_HOSTS, INTEGRATION_STATUSES, type Integration, integrations } from '#shared/entities/integration.ts';
import { type Integrator, integrators } from '#shared/entities/integrator.ts';
import { ticketingConnections } from '#shared/entities/ticketing-connection.ts';
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
  const [accounts, ofTrackers, ofCollectors, ofIntegrators, failing] = await Promise.all([
    table.facets(integrations),
    table.facets(ticketingConnections).then(ownStatuses),
    table.facets(collectors).then(statusesOf),
    table.facets(integrators).then(statusesOf),
    newestProblems(table),
  ]);
  const others = { ticketing: ofTrackers, collector: ofCollectors, integrator: ofIntegrators };
  const counted: Partial<Record<Kind, Record<string, number>>> = others;
  const byKind = perValue(INTEGRATION_KINDS, (kind: Kind) => {
    const statuses = counted[kind];
    if (statuses) return sum(Object.values(statuses));
    return CODE_HOSTS.some((host) => host === kind) ? (accounts[`kind:${kind}`] ?? 0) : 0;
  });
  const all = [ownStatuses(accounts), ...Object.values(others)];
  return {
    asOf: now(),
    total: sum(Object.values(byKind)),
    byKind,
    byStatus: perValue(INTEGRATION_STATUSES, (status) => sum(all.map((statuses) => statuses[status]))),
    failing,
  };
}

const ownStatuses = (facets: Counts) => countsOf(INTEGRATION_STATUSES, facets, 'status');

async function newestProblems(table: Table): Promise<Failing[]> {
  const [failing, silent] = [
    { by: 'failing', n: MOST },
    { by: 'silent', n: MOST },
  ];
  const problems = await Promise.all([
    table.top(integrations, failing).then((all) => all.flatMap(problemOf)),
    table
      .top(ticketingConnections, failing)
      .then((all) => all.flatMap((one) => problemOf({ ...one, kind: 'ticketing' }))),
    table.top(collectors, silent).then((all) => all.flatMap((one) => silenceOf('collector', one))),
    table.top(integrators, silent).then((all) => all.flatMap((one) => silenceOf('integrator', one))),
  ]);
  return problems
    .flat()
    .toSorted((a, b) => (a.since < b.since ? 1 : -1))
    .slice(0, MOST);
}

/** The states of machines in the words of integrations. One that never came is not well, but nothing failed. */
const statusesOf = (facets: Counts) => ({
  connected: facets['status:online'] ?? 0,
  degraded: facets['status:never_connected'] ?? 0,
  failed: facets['status:offline'] ?? 0,
  disabled: facets['status:disabled'] ?? 0,
});

type Refusing = Pick<Failing, 'id' | 'kind' | 'name'> & Pick<Integration, 'error'>;

const problemOf = ({ id, kind, name, error }: Refusing): Failing[] =>
  error ? [{ id, kind, name, since: error.at, reason: error.message }] : [];

const silenceOf = (
  kind: 'collector' | 'integrator',
  { id, name, lastSeenAt }: Pick<Integrator, 'id' | 'name' | 'lastSeenAt'>,
): Failing[] => (lastSeenAt ? [{ id, kind, name, since: lastSeenAt, reason: 'It has not been heard of since.' }] : []);
