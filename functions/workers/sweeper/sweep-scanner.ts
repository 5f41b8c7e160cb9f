import { scanners } from '#shared/entities/scanner.ts';
import { isSilent } from '#shared/machines/presence.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { retry } from '#shared/runtime/retry.ts';
import { giveBackLeases } from '#shared/scanners/give-back.ts';
import { type Presence, presences } from '#shared/scanners/presence.ts';
import { changeScanner, savePresence } from '#shared/scanners/session.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import type { Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';

const LEASE_ENDED = { code: 'lease_expired', message: 'Its scanner did not renew the lease in time.' };

/**
 * Leases that ended return to their queues; a scanner that is silent is noted as offline; the next timer is set.
 * @returns whether it went offline
 */
export async function sweepScanner({ dynamo }: Connections, timer: Timer): Promise<boolean> {
  const table = openTable(dynamo, timer.organizationId);
  return retry(async () => {
    const presence = await table.rows(presences).find({ scannerId: timer.id }, true);
    if (presence?.timerAt !== timer.at) {
      await dropTimer(dynamo, timer);
      return false;
    }
    const kept = await giveBackLeases(table, presence, {
      isEnding: ({ until }) => until <= nowMs(),
      error: LEASE_ENDED,
    });
    return noteSilence(table, kept);
  });
}

/** Also without news the presence is written, for that sets its timer anew. */
async function noteSilence(table: Table, before: Presence): Promise<boolean> {
  const batch = table.batch();
  const isLost = before.online && isSilent(before);
  const scanner = isLost ? await table.find(scanners, before.scannerId, true) : undefined;
  if (scanner) {
    const status = scanner.enabled ? 'offline' : 'disabled';
    changeScanner(batch, table, {
      scanner,
      changes: { status, lastSeenAt: new Date(before.lastSeenAt).toISOString() },
    });
  }
  await savePresence(table, { before, after: { ...before, online: before.online && !isLost }, batch });
  return isLost;
}
