import { setTimeout as sleep } from 'node:timers/promises';
import { followSome, type Take } from '../feed/consumer.ts';
import { type Announced, readHead } from '../feed/log.ts';
import { numberChanges } from '../feed/number.ts';
import { SETTLE_MS } from '../feed/order.ts';
import { nowMs } from '../runtime/clock.ts';
import { timeOf } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import { type Entry, entryIdIn, inboxKey } from '../table/changes.ts';
import { queryRows } from '../table/io/read.ts';
import type { Table } from '../table/table.ts';
import { refresh } from './refresh.ts';
import type { View } from './view.ts';

/** Changes whose records are read between two moves of the cursor. */
const CHANGES = 500;
/** Entries that follow the oldest one so soon are numbered with it. */
const TOGETHER_MS = 500;
/** Between two looks at the clock. */
const LOOK_MS = 100;
/** An entry whose time is further ahead than clocks differ is not waited for: a worker would keep its place until then. */
const MAX_AHEAD_MS = 15_000;

/** Another reader of the same changes. It may be shown some again, after a kill. */
export type Beside = (changes: readonly Announced[]) => Promise<void>;

/**
 * Numbers an organization's changes and updates its views, until nothing waits or the time is over. The cursor of all
 * views moves after their effects: a worker that repeats the work of a killed one finds every record's contributions in
 * place.
 * @returns whether nothing waits that can be numbered soon
 */
export async function keepViews(
  table: Table,
  views: readonly View[],
  isOver: () => boolean,
  beside: Beside = async () => undefined,
): Promise<boolean> {
  const take = taking(table, views, beside);
  const inbox = new Map<string, Entry>();
  for (let seen = 0; !isOver(); ) {
    const { more, next } = await numberChanges(table, inbox);
    while (!isOver() && seen + 1 < next) seen = await retry(() => followSome(table, 'views', { take, next }));
    if (more) continue;
    const due = await nextDue(table);
    // another worker may have numbered the rest of the inbox behind our reading of the log's end
    if (due === undefined && seen + 1 < (await readHead(table)).next) continue;
    if (due === undefined) return !isOver();
    while (nowMs() < due && !isOver()) await sleep(LOOK_MS);
  }
  return false;
}

/** The records of the changes, each read once for all views. */
const taking =
  (table: Table, views: readonly View[], beside: Beside): Take =>
  async (_batch, changes) => {
    const taken = changes.slice(0, CHANGES);
    const changed = Map.groupBy(
      taken.flatMap(({ change }) => change ?? []),
      ({ entity }) => entity,
    );
    for (const [entity, of] of changed) await refresh(table, views, { entity, ids: of.map(({ id }) => id) });
    await beside(taken);
    return taken.length;
  };

/** When to look at the inbox again, in milliseconds since 1970: its oldest entry can be numbered then. undefined: nothing waits. */
async function nextDue({ dynamo, tenant }: Table): Promise<number | undefined> {
  const { pk, sk: prefix } = inboxKey(tenant, '');
  const [first] = await queryRows(dynamo, { pk, prefix, limit: 1, consistent: true });
  const [made, time] = [first && timeOf(entryIdIn(first)), nowMs()];
  if (made === undefined || made >= time + MAX_AHEAD_MS) return undefined;
  return Math.min(made, time) + SETTLE_MS + TOGETHER_MS;
}
