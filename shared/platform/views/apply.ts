import { isDeepStrictEqual } from 'node:util';
import type { Batch } from '../table/batch.ts';
import { batchOfMany } from '../table/many.ts';
import type { Table } from '../table/table.ts';
import { contributedWrite } from './contributed.ts';
import type { Current, Moving, Plan } from './plan.ts';
import { writeTarget } from './write-target.ts';

/** Moves that one transaction tries: each has up to two rows of its target, and one for all moves of its record. */
const AT_ONCE = 60;
/** Rows for which the next transaction is planned, somewhat fewer than fit. */
const FILLED = 97;

/**
 * Moves contributions together with the targets that they change, in as many transactions as needed, one after the
 * other. While one transaction is sent, the next is planned from its expected result; if one fails, the following ones
 * are not sent.
 */
export async function apply(table: Table, { moves, newIds, ...read }: Plan): Promise<void> {
  let current: Current = read;
  let sent: Promise<void> = Promise.resolve();
  let most = AT_ONCE;
  try {
    for (let left = moves; left.length > 0; ) {
      let next = current;
      const { batch, some } = await batchOfMany(
        () => table.batch(true),
        left.slice(0, most),
        (batch, part) => {
          next = write({ table, newIds, batch }, current, part);
        },
      );
      // moves of one report have about equally many rows: the next transaction seldom has to be planned twice
      most = Math.min(AT_ONCE, Math.max(1, Math.floor((some.length * FILLED) / Math.max(1, batch.size()))));
      [current, left] = [next, left.slice(some.length)];
      await sent;
      sent = batch.commit();
      sent.catch(() => undefined); // the round that waits for it gets the error
    }
  } finally {
    await sent;
  }
}

type Writing = { table: Table; newIds: ReadonlyMap<string, string>; batch: Batch };

/** Adds the rows of some moves to the batch. @returns the state after the batch */
const write = (writing: Writing, current: Current, moves: readonly Moving[]): Current => ({
  targets: writeTargets(writing, current, moves),
  contributed: writeContributed(writing, current, moves),
});

function writeTargets({ table, newIds, batch }: Writing, { targets }: Current, moves: readonly Moving[]) {
  const after = new Map(targets);
  for (const [place, of] of Map.groupBy(moves, (move) => move.place)) {
    const [first] = of;
    if (!first) continue;
    const { view, key } = first;
    const change = {
      added: of.flatMap(({ added }) => added ?? []),
      removed: of.flatMap(({ removed }) => removed ?? []),
    };
    const target = writeTarget({ table, view, batch }, targets.get(place), {
      key,
      ...change,
      newId: newIds.get(place),
    });
    if (target) after.set(place, target);
    else after.delete(place);
  }
  return after;
}

function writeContributed({ table, batch }: Writing, { contributed }: Current, moves: readonly Moving[]) {
  const after = new Map(contributed);
  for (const [id, of] of Map.groupBy(moves, (move) => move.id)) {
    const before = contributed.get(id);
    if (!before) throw new Error(`nobody read what ${id} contributed`);
    const facts = new Map(before.facts);
    for (const { place, added } of of) added === undefined ? facts.delete(place) : facts.set(place, added);
    if (isDeepStrictEqual(facts, before.facts)) continue;
    const { write, next } = contributedWrite(table, before, facts);
    batch.write(write);
    after.set(id, next);
  }
  return after;
}
