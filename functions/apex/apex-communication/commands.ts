import type { ApexCommand, ApexPresence } from '#shared/apex/presence.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';

type Command = Omit<ApexCommand, 'until'>;

/** The commands in the answer to a session update: stop and pause always, others while they last. */
export function commandsFor({ leases, commands }: Pick<ApexPresence, 'leases' | 'commands'>): Command[] {
  const current = Object.entries(leases).flatMap(([taskId, { cancel, isPaused }]): Command[] => {
    if (cancel !== undefined) return [{ type: 'cancel', taskId, reason: cancel }];
    return isPaused ? [{ type: 'pause', taskId, reason: 'campaign_paused' }] : [];
  });
  const isMoot = ({ type, taskId, until }: ApexCommand) =>
    until <= nowMs() || (taskId !== undefined && (!leases[taskId] || (type === 'resume' && leases[taskId].isPaused)));
  const left = commands.filter((command) => !isMoot(command));
  return [...current, ...left.map(({ until: _until, ...command }) => command)];
}
