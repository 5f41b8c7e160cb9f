import { Scanner, scanners } from '#shared/entities/scanner.ts';
import { mergePatch } from '#shared/http/records.ts';
import { statusNow } from '#shared/machines/presence.ts';
import { isMoved } from '#shared/machines/session.ts';
import { presences, profileOf } from '#shared/scanning/presence.ts';
import { changeScanner, savePresence } from '#shared/scanning/session.ts';
import type { Table } from '#shared/table/table.ts';
import { showScanner } from './show.ts';

type Patching = { patch: object; ifMatch: string | undefined };

/** Changes the record and what the scanner's polls read of it, together. */
export async function updateScanner(table: Table, id: string, patching: Patching): Promise<Scanner> {
  for (let attempt = 1; ; attempt++) {
    const read = await showScanner(table, await table.get(scanners, id, true));
    const changes = mergePatch(Scanner, read, { ...patching, patch: withoutLive(patching.patch) });
    if (!changes) return read;
    try {
      return await change(table, id, changes);
    } catch (error) {
      if (!isMoved(error) || attempt === 8) throw error;
    }
  }
}

/** What polls change all the time may come back as it was read a while ago. */
const LIVE = ['status', 'runningTasks', 'lastSeenAt'];
const withoutLive = (patch: object): object =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => !LIVE.includes(name)));

async function change(table: Table, id: string, changes: Partial<Scanner>): Promise<Scanner> {
  const [scanner, before] = await Promise.all([
    table.get(scanners, id, true),
    table.rows(presences).find({ scannerId: id }, true),
  ]);
  const status = statusNow({ enabled: changes.enabled ?? scanner.enabled }, before);
  const batch = table.batch();
  const updated = changeScanner(batch, table, { scanner, changes: { ...changes, status } });
  if (before) {
    const after = {
      ...before,
      ...profileOf(updated),
      online: status === 'disabled' ? before.online : status === 'online',
    };
    await savePresence(table, { before, after, batch });
  } else await batch.commit();
  return showScanner(table, updated);
}
