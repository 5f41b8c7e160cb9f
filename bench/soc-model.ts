import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { commit } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { CREDENTIAL_KINDS, Severity } from '#shared/reports/report/report.ts';
import { ALERT_SOURCES, alerts, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { ALERT_STATUSES, INCIDENT_STATUSES } from '#shared/soc/alerts/soc-status.ts';
import { incidents, type StoredIncident } from '#shared/soc/incidents/incident.ts';
import {
  RESPONSE_STATUSES,
  responseActions,
  type StoredResponseAction,
} from '#shared/soc/incidents/response-action.ts';
import { type SiemSource, SOURCE_STATUSES, siemSources } from '#shared/soc/siem/siem-source.ts';
import { volumeWrites } from '#shared/soc/siem/volume.ts';
import { type StoredTicket, TICKET_STATUSES, tickets } from '#shared/ticketing/ticket.ts';
import {
  CREDENTIAL_SOURCES,
  CREDENTIAL_STATUSES,
  exposedCredentials,
  type StoredCredential,
} from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { inTwoYears, pick, place, stamps } from './dashboards-model.ts';
import { chance } from './store-model.ts';

/**
 * Alerts, incidents, response actions, sources with their volume, exposed credentials and tickets of two years.
 * @param events of the last five days together
 */
export async function fillSoc(table: Table, size: number, events = 1_000_000): Promise<void> {
  const random = chance(17);
  const many = <T>(n: number, make: (n: number, random: () => number) => T): T[] =>
    Array.from({ length: n }, (_, i) => make(i, random));
  await place(table, alerts, many(size, anAlert));
  await place(table, incidents, many(size / 10, anIncident));
  await place(table, responseActions, many(size / 10, anAction));
  await place(table, siemSources, many(60, aSource));
  await place(table, exposedCredentials, many(size, aCredential));
  await place(table, tickets, many(size, aTicket));
  for (let day = 0; day < DAYS; day += 1)
    for (const writes of volumesOf(table, day, Math.ceil(events / DAYS / 24)))
      await commit(table.dynamo, writes, new Map());
}

/** Times in two years. Half of the records are acknowledged and over, after up to two months. */
function lifeOf(random: () => number) {
  const [first, at] = inTwoYears(random);
  const [seen, ended] = [random() < 0.6, random() < 0.5];
  return {
    first,
    ended: ended ? at(60 * random() ** 6) : null,
    acknowledgedAt: seen || ended ? at(20 * random() ** 6) : null,
  };
}

function anAlert(n: number, random: () => number): StoredAlert {
  const { first, ended, acknowledgedAt } = lifeOf(random);
  return {
    ...stamps(n),
    createdAt: first,
    title: 'Encoded PowerShell on a web server',
    description: null,
    severity: pick(Severity.options, random),
    source: { kind: pick(ALERT_SOURCES, random), ruleId: null, ruleName: null, collectorId: null },
    status: ended ? 'resolved' : pick(ALERT_STATUSES.slice(0, 2), random),
    attackTechniques: [],
    entities: [],
    dedupKey: null,
    eventCount: 1,
    firstEventAt: first,
    lastEventAt: first,
    assigneeId: null,
    assignee: null,
    incidentId: null,
    acknowledgedAt,
    resolvedAt: ended,
    resolution: null,
    reopenedAt: null,
    reopenedCount: 0,
  };
}

function anIncident(n: number, random: () => number): StoredIncident {
  const { first, ended, acknowledgedAt } = lifeOf(random);
  return {
    ...stamps(n),
    title: 'Web shell on the shop',
    description: null,
    severity: pick(Severity.options, random),
    status: ended ? 'closed' : pick(INCIDENT_STATUSES.slice(0, 2), random),
    assigneeId: null,
    assignee: null,
    memberIds: [],
    detectedAt: first,
    acknowledgedAt,
    containedAt: ended,
    closedAt: ended,
    reopenedAt: null,
    reopenedCount: 0,
    summary: null,
    lessons: null,
  };
}

function anAction(n: number, random: () => number): StoredResponseAction {
  const { first, ended } = lifeOf(random);
  return {
    ...stamps(n),
    incidentId: newId(),
    type: 'isolate_host',
    target: { type: 'host', value: `web-${n}` },
    parameters: {},
    reason: null,
    integratorId: null,
    timeoutSeconds: 3600,
    status: pick(RESPONSE_STATUSES, random),
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    deadlineAt: null,
    startedAt: first,
    finishedAt: ended,
    result: null,
    error: null,
    attempt: 1,
    cancelRequestedAt: null,
  };
}

const aSource = (n: number, random: () => number): SiemSource => ({
  ...stamps(n),
  name: `web-${n} auth.log`,
  collectorId: newId(),
  kind: 'file',
  format: 'syslog',
  expectedEverySeconds: 86_400,
  alertWhenSilent: true,
  status: pick(SOURCE_STATUSES, random),
  quiet: random() < 0.5,
});

function aCredential(n: number, random: () => number): StoredCredential {
  const { first, ended } = lifeOf(random);
  return {
    ...stamps(n),
    key: newId(),
    kind: pick(CREDENTIAL_KINDS, random),
    masked: 'k3****77',
    sources: [pick(CREDENTIAL_SOURCES, random)],
    tools: ['gitleaks'],
    status: ended ? pick(CREDENTIAL_STATUSES.slice(1), random) : 'active',
    places: 1,
    openPlaces: 1,
    assets: [],
    firstSeenAt: first,
    ...(ended && { endedAt: ended }),
    said: [],
  };
}

function aTicket(n: number, random: () => number): StoredTicket {
  const { first, ended } = lifeOf(random);
  return {
    ...stamps(n),
    createdAt: first,
    connectionId: newId(),
    ruleId: null,
    subject: { type: 'finding', id: newId() },
    key: newId(),
    title: 'Weak cipher',
    severity: pick(Severity.options, random),
    status: pick(TICKET_STATUSES, random),
    issueId: newId(),
    issueKey: `SEC-${n}`,
    issueStatus: null,
    url: null,
    assignee: null,
    subjectStatus: 'open',
    awaitsProof: false,
    project: 'SEC',
    issueType: 'Task',
    resolvedAt: ended,
    syncedAt: first,
    error: null,
    taskId: null,
    attemptedAt: null,
    issueUpdatedAt: null,
    toldCount: 0,
    template: { labels: [], priorities: {}, fields: {} },
  };
}

const DAYS = 5;

/** So many events in each hour of a day. */
function volumesOf(table: Table, daysAgo: number, events: number) {
  const day = new Date(nowMs() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const hours = Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}`);
  const segment = { id: newId(), sourceId: 'web', events, bytes: 400 * events, counts: {} };
  return hours.map((hour) => volumeWrites(table, [{ ...segment, hour, from: hour, to: hour }]));
}
