import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { dashboardHandlers } from '#functions/exposure/dashboards/handlers.ts';
import { socAlertHandlers } from '#functions/soc/soc-alerts/handlers.ts';
import { socIncidentHandlers } from '#functions/soc/soc-incidents/handlers.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { alerts, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { raiseAlerts } from '#shared/soc/alerts/raise.ts';
import { ALERT_STATUSES, alertMoves, INCIDENT_STATUSES, incidentMoves } from '#shared/soc/alerts/soc-status.ts';
import { incidents, type StoredIncident } from '#shared/soc/incidents/incident.ts';
import { bare } from '../../../support/bare.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectMetrics } from './expect-metrics.ts';
import type { Repair } from './recount.ts';

const store = useStore();
afterEach(() => setClock());

const DAY = 86_400_000;
const HOUR = 3_600_000;
const severity = fc.constantFrom(...Severity.options);
const hours = fc.oneof(fc.nat(30), fc.double({ min: 0, max: 3, noNaN: true }), fc.nat(900));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('raise' as const), severity, hours, key: fc.nat(3), ago: fc.nat(90) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('alert' as const), pick: fc.nat(), to: fc.nat(), severity, hours }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('group' as const), pick: fc.nat(), severity, hours }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('incident' as const), pick: fc.nat(), to: fc.nat(), severity, hours }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;
const at = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];

test('the dashboards of alerts and incidents equal a recount, whatever happened to them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }),
      fc.nat(DAY),
      async (steps, offset) => {
        let clock = Date.UTC(2026, 0, 30) + offset;
        setClock(() => clock);
        const table = newOrganization(store.dynamo);
        for (const one of steps) {
          clock += Math.round(one.hours * HOUR);
          await live(table, one);
        }
        await expectDashboards(table);
        for (const entity of [alerts, incidents])
          expect((await verify(table, entity as never)).differences).toEqual([]);
      },
    ),
    { numRuns: runs(4, 20), endOnFailure: true },
  );
});

const page = { paginateFrom: 0, paginateSize: 500 };
const allAlerts = async (table: Table) => (await table.list(alerts, page)).data as StoredAlert[];
const allIncidents = async (table: Table) => (await table.list(incidents, page)).data as StoredIncident[];

async function live(table: Table, step: Step): Promise<void> {
  const call = { table, caller, ifMatch: undefined };
  if (step.kind === 'raise') {
    const firstEventAt = new Date(nowMs() - step.ago * 60_000).toISOString();
    const event = { eventKey: newId(), eventCount: 1, firstEventAt, lastEventAt: firstEventAt, entities: [] };
    const source = { kind: 'siem', ruleId: 'r', ruleName: null, collectorId: null } as const;
    const named = { title: 'x', description: null, attackTechniques: [], source, severity: step.severity };
    await raiseAlerts(table, { id: 'test', zone: null }, [{ ...event, ...named, dedupKey: `k${step.key}` }]);
  } else if (step.kind === 'group') {
    const alert = at(await allAlerts(table), step.pick);
    const body = {
      title: 'y',
      severity: step.severity,
      alertIds: alert ? [alert.id] : [],
      memberIds: [],
      assigneeId: null,
    };
    await socIncidentHandlers.createIncident({ ...call, body } as never);
  } else if (step.kind === 'alert') {
    const alert = at(await allAlerts(table), step.pick);
    if (!alert) return;
    const body = { status: at(alertMoves[alert.status], step.to), severity: step.severity };
    await socAlertHandlers.updateAlert({ ...call, params: { id: alert.id }, body } as never);
  } else {
    const incident = at(await allIncidents(table), step.pick);
    if (!incident) return;
    const body = { status: at(incidentMoves[incident.status], step.to), severity: step.severity };
    await socIncidentHandlers.updateIncident({ ...call, params: { id: incident.id }, body } as never);
  }
}

const seconds = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
const ageOf = (since: string): number => Math.floor(nowMs() / 1000) - Math.floor(Date.parse(since) / 1000);
const span = (from: string, to: string | null, severity: string): Repair[] =>
  to === null ? [] : [{ at: to, seconds: seconds(from, to), severity }];
const countBy = (all: readonly string[], values: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, all.filter((one) => one === value).length]));

async function expectDashboards(table: Table): Promise<void> {
  const call = { table, query: {} } as never;
  const [all, grouped] = [await allAlerts(table), await allIncidents(table)];
  const isOpen = ({ status }: StoredAlert) => !['resolved', 'false_positive'].includes(status);
  const kept = (one: StoredAlert | StoredIncident) =>
    (one.repairs ?? []).map((r) => ({ ...r, severity: one.severity }));
  const [metrics, ofIncidents] = [
    await dashboardHandlers.getAlertsMeanTimes(call),
    await dashboardHandlers.getIncidentsMeanTimes(call),
  ];
  expectMetrics(metrics, {
    detections: all.flatMap((one) => span(one.firstEventAt, one.createdAt, one.severity)),
    acknowledgements: all.flatMap((one) => span(one.createdAt, one.acknowledgedAt, one.severity)),
    containments: [],
    repairs: all.flatMap((one) => [
      ...kept(one),
      ...(one.status === 'resolved' ? span(one.reopenedAt ?? one.createdAt, one.resolvedAt, one.severity) : []),
    ]),
    openAges: all.filter(isOpen).map((one) => ageOf(one.reopenedAt ?? one.createdAt)),
  });
  expectMetrics(ofIncidents, {
    detections: [],
    acknowledgements: grouped.flatMap((one) => span(one.detectedAt, one.acknowledgedAt, one.severity)),
    containments: grouped.flatMap((one) => span(one.detectedAt, one.containedAt, one.severity)),
    repairs: grouped.flatMap((one) => [
      ...kept(one),
      ...span(one.reopenedAt ?? one.detectedAt, one.closedAt, one.severity),
    ]),
    openAges: grouped.filter(({ status }) => status !== 'closed').map((one) => ageOf(one.reopenedAt ?? one.detectedAt)),
  });
  const dayAgo = new Date(nowMs() - 23 * HOUR).toISOString().slice(0, 13);
  const open = all.filter(isOpen);
  expect(bare(await dashboardHandlers.getSOCSummary(call))).toEqual({
    asOf: new Date(nowMs()).toISOString(),
    alerts: {
      total: all.length,
      byStatus: countBy(
        all.map(({ status }) => status),
        ALERT_STATUSES,
      ),
      openBySeverity: countBy(
        open.map((one) => one.severity),
        Severity.options,
      ),
      unassigned: open.length,
      opened24h: all.filter(({ createdAt }) => createdAt >= dayAgo).length,
    },
    incidents: {
      total: grouped.length,
      byStatus: countBy(
        grouped.map(({ status }) => status),
        INCIDENT_STATUSES,
      ),
      openBySeverity: countBy(
        grouped.filter(({ status }) => status !== 'closed').map((one) => one.severity),
        Severity.options,
      ),
    },
    responseActions: { awaitingApproval: 0, running: 0, failed24h: 0 },
  });
}

test('an organization without alerts gets zeros and nulls, and the overview is each of its parts', async () => {
  setClock(() => Date.UTC(2026, 1, 28, 23, 59));
  const table = newOrganization(store.dynamo);
  await expectDashboards(table);
  const call = { table, query: {} } as never;
  const overview = await dashboardHandlers.getMeanTimeOverview(call);
  expect(overview).toEqual({
    findings: await dashboardHandlers.getFindingsMeanTimes(call),
    vulnerabilities: await dashboardHandlers.getVulnerabilitiesMeanTimes(call),
    alerts: await dashboardHandlers.getAlertsMeanTimes(call),
    incidents: await dashboardHandlers.getIncidentsMeanTimes(call),
  });
  expect(JSON.stringify(overview)).not.toMatch(/NaN|undefined/);
});
