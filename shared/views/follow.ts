import { setTimeout as sleep } from 'node:timers/promises';
import { followSome, type Take } from '../feed/consumer.ts';
import type { Told } from '../feed/log.ts';
import { numberChanges } from '../feed/number.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import { inboxKey, type RecordChange } from '../table/changes.ts';
import type { Entity, Stored } from '../table/entity.ts';
import { queryRows } from '../table/io/read.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { refresh } from './refresh.ts';
import type { Source, View } from './view.ts';

/** Changes whose records are looked at between two moves of the cursor. */
const CHANGES = 500;
/** Entries of the inbox rest for three seconds before they can be numbered. */
const REST_MS = 500;

/** Another reader of the same changes. It may be shown some again, after a kill. */
export type Beside = (changes: readonly Told[]) => Promise<void>;

/**
 * Numbers what an organization changed and brings its views up to date, until nothing waits or the time is over. The
 * cursor of all views follows their effects: what a killed worker repeats finds every record as it contributed already.
 * @returns whether nothing waits
 */
export async function keepViews(
  table: Table,
  views: readonly View[],
  isOver: () => boolean,
  beside: Beside = async () => undefined,
): Promise<boolean> {
  while (!isOver()) {
    const more = await numberChanges(table);
    while (!isOver() && (await retry(() => followSome(table, 'views', taking(table, views, beside)))));
    if (more) continue;
    if (!(await isWaiting(table))) return !isOver();
    await sleep(REST_MS);
  }
  return false;
}

/** The records of the changes, each looked at once in every view to which it may contribute. */
const taking =
  (table: Table, views: readonly View[], beside: Beside): Take =>
  async (_batch, changes) => {
    const taken = changes.slice(0, CHANGES);
    const changed = Map.groupBy(
      taken.flatMap(({ change }) => change ?? []),
      ({ entity }) => entity,
    );
    const entities = new Map(views.flatMap(({ sources }) => sources.map(({ entity }) => [entity.name, entity])));
    const made = new Map<string, Stored>();
    for (const [name, of] of changed)
      for (const record of await recordsMade(table, entities.get(name), of)) made.set(record.id, record);
    for (const view of views)
      for (const source of view.sources) {
        const ids = (changed.get(source.entity.name) ?? []).map(({ id }) => id);
        const looked = ids.filter((id) => contributes(source, made.get(id)));
        if (looked.length > 0) await refresh(table, view, { source, ids: looked });
      }
    await beside(taken);
    return taken.length;
  };

/**
 * The records that are as they were made, read once for all views. If such a record contributes nothing to a view, it never did: most
 * findings are spared what the view keeps of them. An old copy does no harm, because a later change is told later.
 */
async function recordsMade(
  table: Table,
  entity: Entity | undefined,
  changes: readonly RecordChange[],
): Promise<Stored[]> {
  const later = new Set(changes.flatMap(({ id, version }) => (version > 1 ? id : [])));
  const ids = [...new Set(changes.map(({ id }) => id))].filter((id) => !later.has(id));
  if (!entity || ids.length === 0) return [];
  const records = await wholeRecordsAt(table, entity, { ordinals: ids.map(ordinalOf) });
  return records.filter(({ version }) => version === 1);
}

const contributes = ({ contributions }: Source<unknown>, record: Stored | undefined): boolean =>
  !record || contributions(record).length > 0;

async function isWaiting({ dynamo, scope }: Table): Promise<boolean> {
  const { pk, sk: prefix } = inboxKey(scope, '');
  return (await queryRows(dynamo, { pk, prefix, limit: 1, consistent: true })).length > 0;
}
