import { setTimeout as sleep } from 'node:timers/promises';
import { followSome, type Take } from '../feed/consumer.ts';
import type { Announced } from '../feed/log.ts';
import { numberChanges } from '../feed/number.ts';
import { nowMs } from '../runtime/clock.ts';
import { timeOf } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import { entryIn, inboxKey } from '../table/changes.ts';
import { queryRows } from '../table/io/read.ts';
import type { Table } from '../table/table.ts';
import { refresh } from './refresh.ts';
import type { View } from './view.ts';

/** Changes whose records are read between two moves of the cursor. */
const CHANGES = 500;
/** Entries of the inbox rest for three seconds before they can be numbered. */
const REST_MS = 500;
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
  while (!isOver()) {
    const more = await numberChanges(table);
    while (!isOver() && (await retry(() => followSome(table, 'views', take))));
    if (more) continue;
    if (!(await isWaiting(table))) return !isOver();
    await sleep(REST_MS);
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

async function isWaiting({ dynamo, scope }: Table): Promise<boolean> {
  const { pk, sk: prefix } = inboxKey(scope, '');
  const [first] = await queryRows(dynamo, { pk, prefix, limit: 1, consistent: true });
  return first !== undefined && timeOf(entryIn(first).id) < nowMs() + MAX_AHEAD_MS;
}
