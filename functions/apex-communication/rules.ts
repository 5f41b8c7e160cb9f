import type { ApexCommand, ApexPresence } from '#shared/apex/presence.ts';
import { type ApexDataSource, knownApexTypes, type ReportedTask } from '#shared/entities/apex-appliance.ts';
import { type Bounds, hearOf } from '#shared/machines/leases.ts';
import { nowMs } from '#shared/runtime/clock.ts';

export const BOUNDS: Bounds = { perPoll: 5, held: 15 };

/** Of what an appliance says of its running tasks the lease keeps how far they are, and at what. */
export const hear = (presence: ApexPresence, running: readonly ReportedTask[] = []) =>
  hearOf(presence, running, ({ progress, step, message }) => ({
    progress,
    ...(step && { step }),
    ...(message && { message }),
  }));

/** Whether the appliance tells something of itself that its record does not say yet. */
export function saysNews(
  presence: ApexPresence,
  { version, taskTypes }: Pick<ApexDataSource, 'version' | 'taskTypes'>,
) {
  if (version != null && version !== presence.softwareVersion) return true;
  return taskTypes !== undefined && knownApexTypes(taskTypes).join() !== presence.taskTypes.join();
}

type Command = Omit<ApexCommand, 'until'>;

/** What a session update is told: what to stop and hold always, what was left for the appliance while it lasts. */
export function commandsFor({ leases, commands }: Pick<ApexPresence, 'leases' | 'commands'>): Command[] {
  const standing = Object.entries(leases).flatMap(([taskId, { cancel, isPaused }]): Command[] => {
    if (cancel !== undefined) return [{ type: 'cancel', taskId, reason: cancel }];
    return isPaused ? [{ type: 'pause', taskId, reason: 'campaign_paused' }] : [];
  });
  const isMoot = ({ type, taskId, until }: ApexCommand) =>
    until <= nowMs() || (taskId !== undefined && (!leases[taskId] || (type === 'resume' && leases[taskId].isPaused)));
  const left = commands.filter((command) => !isMoot(command));
  return [...standing, ...left.map(({ until: _until, ...command }) => command)];
}
