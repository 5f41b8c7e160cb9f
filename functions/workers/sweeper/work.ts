import { apexLeases } from '#shared/apex/leases.ts';
import { noteComplianceDay } from '#shared/exposure/compliance/summary.ts';
import { resend } from '#shared/platform/jobs/outbox.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Timer, TimerKind } from '#shared/platform/timers/timers.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { foldHours } from '#shared/scanning/agents/history.ts';
import { type AgentPresence, agentMachines } from '#shared/scanning/agents/presence.ts';
import { scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { isSilent } from '#shared/scanning/machines/presence.ts';
import { responseLeases } from '#shared/soc/incidents/response-actions.ts';
import { collectorMachines } from '#shared/soc/siem/collectors.ts';
import { beginDeletion } from './begin-deletion.ts';
import { checkRemediation } from './check-remediation.ts';
import { dropTimer } from './drop-timer.ts';
import { endAcceptance } from './end-acceptance.ts';
import { endEvents } from './end-events.ts';
import { endEvidence } from './end-evidence.ts';
import { endExclusion } from './end-exclusion.ts';
import { endLooks } from './end-looks.ts';
import { endResponse } from './end-response.ts';
import { endRule } from './end-rule.ts';
import { endScan } from './end-scan.ts';
import { endVulnerability } from './end-vulnerability.ts';
import { moveLog } from './move-log.ts';
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
import { tableOf } from './table-of.ts';

/** Works a timer by its kind. @returns whether a machine went offline */
type Work = (connections: Connections, timer: Timer) => Promise<boolean>;

const works: Partial<Record<TimerKind, Work>> = {
  acceptance: async (connections, timer) => {
    await endAcceptance(connections, timer);
    return false;
  },
  application: async (connections, timer) => {
    await scoreApplications(connections, timer);
    return false;
  },
  asset: async (connections, timer) => {
    const table = tableOf(connections.dynamo, timer);
    await endLooks(table);
    await noteComplianceDay(table);
    await sweepAssets(connections, timer);
    return false;
  },
  branch: async (connections, timer) => {
    await sweepBranch(connections, timer);
    return false;
  },
  scanner: (connections, timer) => sweepHolder(connections, timer, scannerLeases),
  agent: (connections, timer) =>
    sweepMachine(connections, timer, {
      machines: agentMachines,
      end: foldIfSilent,
    }),
  apex: (connections, timer) => sweepHolder(connections, timer, apexLeases),
  'apex-run': async (connections, timer) => {
    await sweepRun(connections, timer);
    return false;
  },
  engagement: async (connections, timer) => {
    await sweepEngagement(connections, timer);
    return false;
  },
  'apex-task': async (connections, timer) => {
    await sweepTask(connections, timer);
    return false;
  },
  'apex-start': async (connections, timer) => {
    await startCampaign(connections, timer);
    return false;
  },
  'change-log': async (connections, timer) => {
    await moveLog(connections, timer);
    return false;
  },
  collector: (connections, timer) =>
    sweepMachine(connections, timer, { machines: collectorMachines, end: async (_table, presence) => presence }),
  integrator: (connections, timer) => sweepHolder(connections, timer, responseLeases),
  response: async (connections, timer) => {
    await endResponse(connections, timer);
    return false;
  },
  evidence: async (connections, timer) => {
    await endEvidence(connections, timer);
    return false;
  },
  exclusion: async (connections, timer) => {
    await endExclusion(connections, timer);
    return false;
  },
  integration: async (connections, timer) => {
    await syncIntegrations(connections, timer);
    return false;
  },
  'organization-deletion': async (connections, timer) => {
    await beginDeletion(connections, timer);
    return false;
  },
  remediation: async (connections, timer) => {
    await checkRemediation(connections, timer);
    return false;
  },
  'scan-end': async (connections, timer) => {
    await endScan(connections, timer);
    return false;
  },
  'scan-start': async (connections, timer) => {
    await startScan(connections, timer);
    return false;
  },
  'siem-events': async (connections, timer) => {
    await endEvents(connections, timer);
    return false;
  },
  'siem-source': async (connections, timer) => {
    await sweepSource(connections, timer);
    return false;
  },
  suppression: async (connections, timer) => {
    await endRule(connections, timer);
    return false;
  },
  ticketing: async (connections, timer) => {
    await pollConnection(connections, timer);
    return false;
  },
  vulnerability: async (connections, timer) => {
    await endVulnerability(connections, timer);
    return false;
  },
  views: async (connections, timer) => {
    await wakeViews(connections, tableOf(connections.dynamo, timer), String(timer.at));
    await dropTimer(connections.dynamo, timer);
    return false;
  },
  send: async (connections, timer) => {
    await resend(connections, timer);
    return false;
  },
};

/** Samples expire before the hours of a silent agent, and no report may come to fold them. */
async function foldIfSilent(table: Table, presence: AgentPresence): Promise<AgentPresence> {
  const { machineId, openHour, closedHours } = presence;
  if (presence.online && isSilent(presence) && openHour !== 0)
    await foldHours(table, machineId, [...closedHours, openHour]);
  return presence;
}

/** @throws when no release that runs knows the kind: the timer stays due */
export function work(connections: Connections, timer: Timer): Promise<boolean> {
  const known = works[timer.kind];
  if (!known) throw new Error(`a timer of the kind ${timer.kind}, which nobody works`);
  return known(connections, timer);
}
