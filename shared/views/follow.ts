import { setTimeout as sleep } from 'node:timers/promises';
import { followSome, type Take } from '../feed/consumer.ts';
import { numberChanges } from '../feed/number.ts';
import { retry } from '../runtime/retry.ts';
import { inboxKey } from '../table/changes.ts';
import { queryRows } from '../table/io/read.ts';
import type { Table } from '../table/table.ts';
import { refresh } from './refresh.ts';
import type { View } from './view.ts';

/** Changes whose records are looked at between two moves of the cursor. */
const CHANGES = 100;
/** Entries of the inbox rest for three seconds before they can be numbered. */
const REST_MS = 500;

/**
 * Numbers what an organization changed and brings its views up to date, until nothing waits or the time is over. The
 * cursor of all views follows their effects: what a killed worker repeats finds every record as it contributed already.
 * @returns whether nothing waits
 */
export async function keepViews(table: Table, views: readonly View[], isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    const more = await numberChanges(table);
    while (!isOver() && (await retry(() => followSome(table, 'views', taking(table, views)))));
    if (more) continue;
    if (!(await isWaiting(table))) return !isOver();
    await sleep(REST_MS);
  }
  return false;
}

/** The records of the changes, each looked at once in every view that has it among its sources. */
const taking =
  (table: Table, views: readonly View[]): Take =>
  async (_batch, changes) => {
    const taken = changes.slice(0, CHANGES);
    const changed = Map.groupBy(
      taken.flatMap(({ change }) => change ?? []),
      ({ entity }) => entity,
    );
    for (const view of views)
      for (const source of view.sources) {
        const ids = (changed.get(source.entity.name) ?? []).map(({ id }) => id);
        if (ids.length > 0) await refresh(table, view, { source, ids });
      }
    return taken.length;
  };

async function isWaiting({ dynamo, scope }: Table): Promise<boolean> {
  const { pk, sk: prefix } = inboxKey(scope, '');
  return (await queryRows(dynamo, { pk, prefix, limit: 1, consistent: true })).length > 0;
}
