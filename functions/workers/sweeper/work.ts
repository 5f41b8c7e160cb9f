import { foldHours } from '#shared/agents/history.ts';
import { agentMachines } from '#shared/agents/presence.ts';
import { resend } from '#shared/jobs/outbox.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Timer, TimerKind } from '#shared/timers/timers.ts';
import { endAcceptance } from './end-acceptance.ts';
import { startCampaign } from './start-campaign.ts';
import { sweepAppliance, sweepRun, sweepTask } from './sweep-appliance.ts';
import { sweepEngagement } from './sweep-engagement.ts';
import { sweepMachine } from './sweep-machine.ts';
import { sweepScanner } from './sweep-scanner.ts';

/** What is done about a timer, by its kind. @returns whether a machine went offline */
type Work = (connections: Connections, timer: Timer) => Promise<boolean>;

const works: Partial<Record<TimerKind, Work>> = {
  acceptance: async (connections, timer) => {
    await endAcceptance(connections, timer);
    return false;
  },
  scanner: sweepScanner,
  agent: (connections, timer) =>
    sweepMachine(connections, timer, {
      machines: agentMachines,
      // Its samples expire before its hours, and no report may come to fold them.
      onLost: (table, { machineId, openHour, closedHours }) =>
        foldHours(table, machineId, openHour === 0 ? [] : [...closedHours, openHour]),
    }),
  apex: sweepAppliance,
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
  send: async (connections, timer) => {
    await resend(connections, timer);
    return false;
  },
};

/** @throws when no release that runs knows the kind: the timer stays due */
export function work(connections: Connections, timer: Timer): Promise<boolean> {
  const known = works[timer.kind];
  if (!known) throw new Error(`a timer of the kind ${timer.kind}, which nobody works`);
  return known(connections, timer);
}
