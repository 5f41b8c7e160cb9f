import { foldHours } from '#shared/agents/history.ts';
import { agentMachines } from '#shared/agents/presence.ts';
import { resend } from '#shared/jobs/outbox.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Alarm, AlarmKind } from '#shared/timers/timers.ts';
import { endAcceptance } from './end-acceptance.ts';
import { startCampaign } from './start-campaign.ts';
import { sweepAppliance, sweepRun, sweepTask } from './sweep-appliance.ts';
import { sweepEngagement } from './sweep-engagement.ts';
import { sweepMachine } from './sweep-machine.ts';
import { sweepScanner } from './sweep-scanner.ts';

/** What is done about an alarm, by its kind. @returns whether a machine went offline */
type Work = (connections: Connections, alarm: Alarm) => Promise<boolean>;

const works: Partial<Record<AlarmKind, Work>> = {
  acceptance: async (connections, alarm) => {
    await endAcceptance(connections, alarm);
    return false;
  },
  scanner: sweepScanner,
  agent: (connections, alarm) =>
    sweepMachine(connections, alarm, {
      machines: agentMachines,
      // Its samples expire before its hours, and no report may come to fold them.
      onLost: (table, { machineId, openHour, closedHours }) =>
        foldHours(table, machineId, openHour === 0 ? [] : [...closedHours, openHour]),
    }),
  apex: sweepAppliance,
  'apex-run': async (connections, alarm) => {
    await sweepRun(connections, alarm);
    return false;
  },
  engagement: async (connections, alarm) => {
    await sweepEngagement(connections, alarm);
    return false;
  },
  'apex-task': async (connections, alarm) => {
    await sweepTask(connections, alarm);
    return false;
  },
  'apex-start': async (connections, alarm) => {
    await startCampaign(connections, alarm);
    return false;
  },
  send: async (connections, alarm) => {
    await resend(connections, alarm);
    return false;
  },
};

/** @throws when no release that runs knows the kind: the alarm stays due */
export function work(connections: Connections, alarm: Alarm): Promise<boolean> {
  const known = works[alarm.kind];
  if (!known) throw new Error(`an alarm of the kind ${alarm.kind}, which nobody works`);
  return known(connections, alarm);
}
