import { tokensLeftThisMonth } from '#shared/apex/budget.ts';
import { type ApexPresence, apexMachines } from '#shared/apex/presence.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import { renewLeases } from '#shared/scanning/leases/lease.ts';
import { noteCaller, readCaller } from '#shared/scanning/leases/poll.ts';
import { isHeartbeatDue } from '#shared/scanning/machines/presence.ts';
import { savePresence } from '#shared/scanning/machines/save-presence.ts';
import { apexCalls } from './calls.ts';
import { commandsFor } from './commands.ts';
import type { ApexSessionAnswer, ApexSessionUpdate } from './routes.ts';

/** How often a working appliance reports its session and receives commands; an idle appliance calls less often. */
const UPDATE_SECONDS = { working: 10, idle: 60 };

/** A session update. @throws unauthorized when the appliance was removed */
export async function updateSession(
  table: Table,
  applianceId: string,
  body: ApexSessionUpdate,
): Promise<ApexSessionAnswer> {
  for (const { level, message, taskId } of body.events)
    log.info('appliance says', { applianceId, level, message, taskId });
  const [{ presence, lost }, ownLeft] = await Promise.all([
    retry(() => updateOnce(table, applianceId, body)),
    tokensLeftThisMonth(table),
  ]);
  const leases = Object.entries(presence.leases).map(([taskId, { until }]) => ({
    taskId,
    leaseExpiresAt: new Date(until).toISOString(),
  }));
  return {
    sessionId: presence.session?.id ?? newId(),
    commands: commandsFor(presence),
    lost,
    leases,
    budget: { tokensLeft: await leastLeft(table, presence, ownLeft) },
    nextUpdateSeconds: leases.length > 0 ? UPDATE_SECONDS.working : UPDATE_SECONDS.idle,
  };
}

/** The organization with the fewest remaining tokens among those whose tasks the appliance holds. */
async function leastLeft(table: Table, { leases }: ApexPresence, ownLeft: number): Promise<number> {
  const owners = new Set(Object.values(leases).map(({ organizationId }) => organizationId));
  const left = [...owners].map((id) => (id === undefined ? ownLeft : tokensLeftThisMonth(inOrganization(table, id))));
  return left.length === 0 ? ownLeft : Math.min(...(await Promise.all(left)));
}

async function updateOnce(table: Table, applianceId: string, body: ApexSessionUpdate) {
  const { version, running } = body;
  const call = { machineId: applianceId, body: { version, running } };
  // consistent: a command must reach the appliance with the first update after it was given
  const before = await readCaller(apexCalls, table, { call, consistent: true });
  const { leases, lost } = renewLeases(before, running, apexCalls.keptOf);
  const batch = table.batch();
  const noted = await noteCaller(apexCalls, { table, batch }, { before, call });
  const session = sessionAfter(before, body);
  const isNew = session.id !== before.session?.id || session.state !== before.session.state;
  if (!noted && !isNew && !isHeartbeatDue(before)) return { presence: before, lost };
  const toldSeconds = Math.max(before.toldSeconds, UPDATE_SECONDS.idle);
  const seen = { online: true, lastSeenAt: nowMs(), toldSeconds };
  const commands = before.commands.filter(({ until }) => until > nowMs());
  const after = { ...(noted ?? before), ...seen, leases, session, commands };
  return { presence: await savePresence(apexMachines, table, { before, after, batch }), lost };
}

/** The session goes on while the appliance names it; a new session gets a new id. */
function sessionAfter({ session }: ApexPresence, { sessionId, state, resources }: ApexSessionUpdate) {
  const id = session && session.id === sessionId ? session.id : newId();
  const known = Object.entries(resources).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return { id, state, updatedAt: nowMs(), resources: Object.fromEntries(known) };
}
