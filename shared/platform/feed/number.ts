import { now, nowMs } from '../runtime/clock.ts';
import { timeOf } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import { type Entry, entryIn, inboxKey } from '../table/changes.ts';
import { writeRows } from '../table/io/commit.ts';
import { queryRows } from '../table/io/read.ts';
import type { Table } from '../table/table.ts';
import { entriesIn, type Head, readHead, sheets, sizeOf, writeSheet } from './log.ts';
import { readyEntries } from './order.ts';

/** Rows of the inbox that one read returns. */
const READ = 400;
/** A sheet ends before it has more changes or more text; deflated it stays far below 400 KB. */
const SHEET_CHANGES = 500;
const SHEET_BYTES = 200_000;

/**
 * Gives the changes of an organization their numbers: entries move from the inbox to the log. Each entry is numbered
 * once, by any number of workers and after any kill: the write of a sheet is conditional on the head from before the
 * read of the inbox, and the entries of a sheet leave the inbox before the next sheet is written. So only entries of
 * the last sheet may be in both.
 * @param seen for a caller that looks several times: entries rest some seconds, and each is unpacked at its first look only
 * @returns whether more entries may be waiting, and the number that the next change gets
 */
export function numberChanges(table: Table, seen: Unpacked = new Map()): Promise<{ more: boolean; next: number }> {
  return retry(async () => {
    let head = await readHead(table);
    const { numbered, ready, more } = await readInbox(table, { head, limit: READ, seen });
    let left = numbered;
    for (const entries of inSheets(ready)) {
      await removeFromInbox(table, left);
      head = await writeSheet(table, head, { entries, at: now() });
      left = entries;
    }
    await removeFromInbox(table, left);
    return { more, next: head.next };
  });
}

type Inbox = { numbered: Entry[]; ready: Entry[]; more: boolean };

/** The entries that lie in the inbox, by their sort keys: an entry never changes. */
type Unpacked = Map<string, Entry>;

type Look = { head: Head; limit: number; seen: Unpacked };

async function readInbox(table: Table, { head, limit, seen }: Look): Promise<Inbox> {
  const { pk, sk: prefix } = inboxKey(table.tenant, '');
  const rows = await queryRows(table.dynamo, { pk, prefix, limit, consistent: true });
  if (rows.length === 0) return { numbered: [], ready: [], more: false };
  const unpacked: Unpacked = new Map(rows.map((row) => [row.sk, seen.get(row.sk) ?? entryIn(row)]));
  seen.clear();
  for (const [sk, entry] of unpacked) seen.set(sk, entry);
  const entries = [...unpacked.values()];
  const last = head.last === 0 ? undefined : await table.rows(sheets).find({ first: head.last }, true);
  const known = new Set(last && entriesIn(last).map(({ id }) => id));
  const more = rows.length === limit;
  const numbered = entries.filter(({ id }) => known.has(id));
  const until = more ? timeOf(entries.at(-1)?.id ?? '') : nowMs();
  const ready = readyEntries(
    entries.filter(({ id }) => !known.has(id)),
    until,
  );
  // so many within the time of rest: only with the entries behind them can they be put in order
  if (more && ready.length === 0 && numbered.length === 0) return readInbox(table, { head, limit: limit * 2, seen });
  return { numbered, ready, more };
}

function inSheets(entries: readonly Entry[]): Entry[][] {
  const all: Entry[][] = [];
  let [changes, bytes] = [SHEET_CHANGES, SHEET_BYTES];
  for (const entry of entries) {
    const [more, text] = [sizeOf(entry), JSON.stringify(entry).length];
    const sheet = all.at(-1);
    if (sheet && changes + more <= SHEET_CHANGES && bytes + text <= SHEET_BYTES) {
      sheet.push(entry);
      [changes, bytes] = [changes + more, bytes + text];
    } else {
      all.push([entry]);
      [changes, bytes] = [more, text];
    }
  }
  return all;
}

const removeFromInbox = ({ dynamo, tenant }: Table, entries: readonly Entry[]): Promise<void> =>
  writeRows(dynamo, { remove: entries.map(({ id }) => inboxKey(tenant, id)) });
