import { Scanner, scanners } from '../entities/scanner.ts';
import { mergePatch } from '../http/records.ts';
import { statusNow } from '../machines/presence.ts';
import { isMoved } from '../machines/session.ts';
import type { Table } from '../table/table.ts';
import { presences, profileOf } from './presence.ts';
import { changeScanner, savePresence } from './session.ts';
import { showScanner } from './show.ts';

type Patching = { patch: object; ifMatch: string | undefined };

/** Changes a scanner as a caller asks. */
export const updateScanner = (table: Table, id: string, { patch, ifMatch }: Patching): Promise<Scanner> =>
  modifyScanner(table, id, (read) => mergePatch(Scanner, read, { patch: withoutLive(patch), ifMatch }));

/** Changes the record and what the scanner's polls read of it, together, by what is decided from it as it stands. */
export async function modifyScanner(
  table: Table,
  id: string,
  decide: (read: Scanner) => Partial<Scanner> | undefined,
): Promise<Scanner> {
  for (let attempt = 1; ; attempt++) {
    const read = await showScanner(table, await table.get(scanners, id, true));
    const changes = decide(read);
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
export const withoutLive = (patch: object): object =>
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
