import { Scanner, scanners } from '../entities/scanner.ts';
import { mergePatch } from '../http/records.ts';
import { statusNow } from '../machines/presence.ts';
import { isId } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import type { Table } from '../table/table.ts';
import { type Presence, presences, profileOf } from './presence.ts';
import { changeScanner, savePresence } from './session.ts';
import { asSeen } from './show.ts';

type Patching = { patch: object; ifMatch: string | undefined };

/** Changes a scanner as a caller asks. */
export const updateScanner = (table: Table, id: string, { patch, ifMatch }: Patching): Promise<Scanner> =>
  modifyScanner(table, id, (read) => mergePatch(Scanner, read, { patch: withoutLive(patch), ifMatch }));

/** Changes the record and what the scanner's polls read of it, together, by what is decided from both as they stand. */
export async function modifyScanner(
  table: Table,
  id: string,
  decide: (read: Scanner) => Partial<Scanner> | undefined,
): Promise<Scanner> {
  return retry(async () => {
    const [scanner, before] = await Promise.all([
      table.get(scanners, id, true),
      isId(id) ? table.rows(presences).find({ scannerId: id }, true) : undefined,
    ]);
    const read = asSeen(scanner, before);
    const changes = decide(read);
    return changes ? change(table, { scanner, before, changes }) : read;
  });
}

/** What polls change all the time may come back as it was read a while ago. */
const LIVE = ['status', 'runningTasks', 'lastSeenAt'];
export const withoutLive = (patch: object): object =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => !LIVE.includes(name)));

type Change = { scanner: Scanner; before: Presence | undefined; changes: Partial<Scanner> };

/** @throws when the scanner or its presence is not as it was read any more */
async function change(table: Table, { scanner, before, changes }: Change): Promise<Scanner> {
  const status = statusNow({ enabled: changes.enabled ?? scanner.enabled }, before);
  const batch = table.batch();
  const updated = changeScanner(batch, table, { scanner, changes: { ...changes, status } });
  if (!before) {
    await batch.commit();
    return asSeen(updated, before);
  }
  const online = status === 'disabled' ? before.online : status === 'online';
  const after = { ...before, ...profileOf(updated), online };
  return asSeen(updated, await savePresence(table, { before, after, batch }));
}
