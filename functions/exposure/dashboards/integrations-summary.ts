import {
  CODE_HOSTS,
  INTEGRATION_STATUSES,
  type Integration,
  integrations,
} from '#shared/code/integrations/integration.ts';
import { listed, withLists } from '#shared/platform/http/figures.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { type Integrator, integrators } from '#shared/soc/incidents/integrator.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import { ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { INTEGRATION_KINDS, type IntegrationsSummary } from './records.ts';
import { countsOf } from './summaries.ts';

const MAX_PROBLEMS = 5;

type Kind = (typeof INTEGRATION_KINDS)[number];
type Failing = IntegrationsSummary['failing'][number];

/** Counters of accounts and machines, and the newest problems of the kinds whose counters show problems. */
export async function integrationsSummary(table: Table): Promise<IntegrationsSummary> {
  const reads = [
    table.facets(integrations),
    table.facets(ticketingConnections).then(ownStatuses),
    table.facets(collectors).then(statusesOf),
    table.facets(integrators).then(statusesOf),
  ] as const;
  const [accounts, ofTrackers, ofCollectors, ofIntegrators, failing] = await Promise.all([
    ...reads,
    newestProblems(table, [
      reads[0].then(ownStatuses).then(notWell),
      reads[1].then(notWell),
      reads[2].then(offline),
      reads[3].then(offline),
    ]),
  ]);
  const others = { ticketing: ofTrackers, collector: ofCollectors, integrator: ofIntegrators };
  const counted: Partial<Record<Kind, Record<string, number>>> = others;
  const byKind = perValue(INTEGRATION_KINDS, (kind: Kind) => {
    const statuses = counted[kind];
    if (statuses) return sum(Object.values(statuses));
    return CODE_HOSTS.some((host) => host === kind) ? (accounts[`kind:${kind}`] ?? 0) : 0;
  });
  const all = [ownStatuses(accounts), ...Object.values(others)];
  const figures = {
    asOf: now(),
    total: sum(Object.values(byKind)),
    byKind,
    byStatus: perValue(INTEGRATION_STATUSES, (status) => sum(all.map((statuses) => statuses[status]))),
    failing,
  };
  return withLists(figures, { total: null, byKind: (kind) => LISTS[kind], byStatus: () => null });
}

const LISTS: Record<Kind, string | null> = {
  codehost_a: listed('/api/v1/integrations', { kind: 'codehost_a' }),
  codehost_b: listed('/api/v1/integrations', { kind: 'codehost_b' }),
  ticketing: '/api/v1/ticketing/connections',
  collector: '/api/v1/collectors',
  integrator: '/api/v1/integrators',
  billingprocessor: null,
  identity_provider: null,
  notification: null,
};

const notWell = ({ degraded, failed }: Record<'degraded' | 'failed', number>): number => degraded + failed;
/** A machine that never came has no problem yet. */
const offline = ({ failed }: Record<'failed', number>): number => failed;

const ownStatuses = (facets: Counts) => countsOf(INTEGRATION_STATUSES, facets, 'status');

/** The newest problems of accounts, trackers, collectors and integrators, in the order of `newestProblems`. */
const PROBLEMS: readonly ((table: Table) => Promise<Failing[]>)[] = [
  async (table) => (await table.top(integrations, { by: 'failing', n: MAX_PROBLEMS })).flatMap(problemOf),
  async (table) =>
    (await table.top(ticketingConnections, { by: 'failing', n: MAX_PROBLEMS })).flatMap((one) =>
      problemOf({ ...one, kind: 'ticketing' }),
    ),
  async (table) =>
    (await table.top(collectors, { by: 'silent', n: MAX_PROBLEMS })).flatMap((one) => silenceOf('collector', one)),
  async (table) =>
    (await table.top(integrators, { by: 'silent', n: MAX_PROBLEMS })).flatMap((one) => silenceOf('integrator', one)),
];

/**
 * The `PROBLEMS` that an organization had at the last answer: an answer reads these beside the counters, and takes one
 * more round trip only after a first problem. The process remembers names of problems, never records.
 */
const troubled = keptByOrganization<readonly boolean[]>(1_000);

/** @param counted how many of the accounts, trackers, collectors and integrators have a problem */
async function newestProblems(table: Table, counted: readonly Promise<number>[]): Promise<Failing[]> {
  const early = PROBLEMS.map((read, n) => (troubled.get(table)?.[n] ? read(table) : undefined));
  const [known, ...counts] = await Promise.all([Promise.all(early), ...counted]);
  const has = counts.map((count) => count > 0);
  troubled.put(table, has);
  const problems = await Promise.all(PROBLEMS.map((read, n) => (has[n] ? (known[n] ?? read(table)) : [])));
  return problems
    .flat()
    .toSorted((a, b) => (a.since < b.since ? 1 : -1))
    .slice(0, MAX_PROBLEMS);
}

/**
 * The states of machines in the words of integrations. A machine that never called is not healthy, but nothing failed.
 */
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
