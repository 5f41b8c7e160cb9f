import { apexLeases } from '#shared/apex/leases.ts';
import { wakeReader } from '#shared/events/wake.ts';
import { noteComplianceDay } from '#shared/exposure/compliance/summary.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import { hasUnseen } from '#shared/platform/feed/consumer.ts';
import { resend } from '#shared/platform/jobs/outbox.ts';
import { currentDay } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { closeMonths } from '#shared/platform/table/daily.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Timer, TimerKind } from '#shared/platform/timers/timers.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { foldHours } from '#shared/scanning/agents/history.ts';
import { type AgentPresence, agentMachines } from '#shared/scanning/agents/presence.ts';
import { scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { isSilent } from '#shared/scanning/machines/presence.ts';
import { responseLeases } from '#shared/soc/incidents/response-actions.ts';
import { collectorMachines } from '#shared/soc/siem/collectors.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { beginDeletion } from './begin-deletion.ts';
import { checkDomains } from './check-domains.ts';
import { checkRemediation } from './check-remediation.ts';
import { type Due, dueOf } from './due.ts';
import { endAcceptance } from './end-acceptance.ts';
import { endApprovalRequest } from './end-approval-request.ts';
import { endEvents } from './end-events.ts';
import { endEvidence } from './end-evidence.ts';
import { endExclusion } from './end-exclusion.ts';
import { endLooks } from './end-looks.ts';
import { endResponse } from './end-response.ts';
import { endRule } from './end-rule.ts';
import { endSalesRequest } from './end-sales-request.ts';
import { endScan } from './end-scan.ts';
import { endVulnerability } from './end-vulnerability.ts';
import { makeScheduled } from './make-report.ts';
import { moveLog } from './move-log.ts';
import { noteExpiring } from './note-expiring.ts';
import { pollConnection } from './poll-connection.ts';
import { scoreApplications } from './score-applications.ts';
import { startCampaign } from './start-campaign.ts';
import { startScan } from './start-scan.ts';
import { sweepAssets } from './sweep-assets.ts';
import { sweepBranch } from './sweep-branch.ts';
import { sweepEngagement } from './sweep-engagement.ts';
import { sweepHolder, sweepMachine } from './sweep-machine.ts';
import { sweepRun, sweepTask } from './sweep-run.ts';
import { sweepSource } from './sweep-source.ts';
import { syncIntegrations } from './sync-integrations.ts';

/** Kinds whose timer watches a machine. @returns whether the machine went offline */
const machines: Partial<Record<TimerKind, (due: Due) => Promise<boolean>>> = {
  scanner: (due) => sweepHolder(due, scannerLeases),
  agent: (due) => sweepMachine(due, { machines: agentMachines, end: foldIfSilent }),
  apex: (due) => sweepHolder(due, apexLeases),
  collector: (due) => sweepMachine(due, { machines: collectorMachines, end: async (_table, presence) => presence }),
  integrator: (due) => sweepHolder(due, responseLeases),
};

const works: Partial<Record<TimerKind, (due: Due) => Promise<void>>> = {
  acceptance: endAcceptance,
  'acceptance-notice': noteExpiring,
  application: scoreApplications,
  'approval-request': endApprovalRequest,
  async asset(due) {
    await endLooks(due.table);
    await noteComplianceDay(due.table);
    const { dynamo, tenant } = due.table;
    for (const entity of [findings, vulnerabilities]) await closeMonths({ dynamo, tenant, entity }, currentDay());
    await sweepAssets(due);
  },
  branch: sweepBranch,
  'apex-run': sweepRun,
  engagement: sweepEngagement,
  'apex-task': sweepTask,
  'apex-start': startCampaign,
  'change-log': moveLog,
  report: makeScheduled,
  response: endResponse,
  evidence: endEvidence,
  exclusion: endExclusion,
  integration: syncIntegrations,
  'organization-deletion': beginDeletion,
  'provider-domains': checkDomains,
  remediation: checkRemediation,
  'sales-request': endSalesRequest,
  'scan-end': endScan,
  'scan-start': startScan,
  'siem-events': endEvents,
  'siem-source': sweepSource,
  suppression: endRule,
  ticketing: pollConnection,
  vulnerability: endVulnerability,
  webhook: (due) => wakeFor(due, 'webhook'),
  subscription: (due) => wakeFor(due, 'subscription'),
  notification: (due) => wakeFor(due, 'person'),
  async views({ connections, table, timer, drop }) {
    if (await hasUnseen(table, 'views')) await wakeViews(connections, table, String(timer.at));
    await drop();
  },
  send: ({ connections, timer }) => resend(connections, timer),
};

async function wakeFor(
  { connections, table, timer, drop }: Due,
  kind: 'webhook' | 'subscription' | 'person',
): Promise<void> {
  await wakeReader({ connections, table }, { kind, readerId: timer.id });
  await drop();
}

/** Samples expire before the hours of a silent agent, and perhaps no later report folds them. */
async function foldIfSilent(table: Table, presence: AgentPresence): Promise<AgentPresence> {
  const { machineId, openHour, closedHours } = presence;
  if (presence.online && isSilent(presence) && openHour !== 0)
    await foldHours(table, machineId, [...closedHours, openHour]);
  return presence;
}

/** Kinds that begin work for an organization. They stay due while it is suspended, and are worked when the suspension ends. */
const PAUSED: readonly TimerKind[] = [
  'apex-run',
  'apex-start',
  'engagement',
  'integration',
  'remediation',
  'report',
  'scan-start',
  'ticketing',
  'webhook',
  'subscription',
  'notification',
];

/** @returns whether a machine went offline. @throws when no release that runs knows the kind: the timer stays due */
export async function work(connections: Connections, timer: Timer): Promise<boolean> {
  const due = dueOf(connections, timer);
  const watch = machines[timer.kind];
  if (watch) return watch(due);
  const known = works[timer.kind];
  if (PAUSED.includes(timer.kind) && (await isSuspended(connections.dynamo, timer.organizationId))) return false;
  if (!known) throw new Error(`a timer of the kind ${timer.kind}, which nobody works`);
  await known(due);
  return false;
}
