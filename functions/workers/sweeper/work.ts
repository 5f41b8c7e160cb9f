import { foldHours } from '#shared/agents/history.ts';
import { agentMachines } from '#shared/agents/presence.ts';
import type { Alarm, AlarmKind } from '#shared/machines/alarms.ts';
import type { Ports } from '#shared/ports.ts';
import { resend } from '#shared/scanning/outbox.ts';
import { endAcceptance } from './end-acceptance.ts';
import { startCampaign } from './start-campaign.ts';
import { sweepAppliance, sweepRun, sweepTask } from './sweep-appliance.ts';
import { sweepEngagement } from './sweep-engagement.ts';
import { sweepMachine } from './sweep-machine.ts';
import { sweepScanner } from './sweep-scanner.ts';

/** What is done about an alarm, by its kind. @returns whether a machine went offline */
type Work = (ports: Ports, alarm: Alarm) => Promise<boolean>;

const works: Partial<Record<AlarmKind, Work>> = {
  acceptance: async (ports, alarm) => {
    await endAcceptance(ports, alarm);
    return false;
  },
  scanner: sweepScanner,
  agent: (ports, alarm) =>
    sweepMachine(ports, alarm, {
      machines: agentMachines,
      // Its samples expire before its hours, and no report may come to fold them.
      onLost: (table, { machineId, openHour, closedHours }) =>
        foldHours(table, machineId, openHour === 0 ? [] : [...closedHours, openHour]),
    }),
  apex: sweepAppliance,
  'apex-run': async (ports, alarm) => {
    await sweepRun(ports, alarm);
    return false;
  },
  engagement: async (ports, alarm) => {
    await sweepEngagement(ports, alarm);
    return false;
  },
  'apex-task': async (ports, alarm) => {
    await sweepTask(ports, alarm);
    return false;
  },
  'apex-start': async (ports, alarm) => {
    await startCampaign(ports, alarm);
    return false;
  },
  send: async (ports, alarm) => {
    await resend(ports, alarm);
    return false;
  },
};

/** @throws when no release that runs knows the kind: the alarm stays due */
export function work(ports: Ports, alarm: Alarm): Promise<boolean> {
  const known = works[alarm.kind];
  if (!known) throw new Error(`an alarm of the kind ${alarm.kind}, which nobody works`);
  return known(ports, alarm);
}
