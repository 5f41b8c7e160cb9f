import { isDeepStrictEqual } from 'node:util';
import { chunksOf } from '../runtime/chunks.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import type { Batch } from '../table/batch.ts';
import type { Stored } from '../table/entity.ts';
import { batchOfMany } from '../table/many.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { type Contributed, contributedWrite, readContributed } from './contributed.ts';
import { readTargets } from './targets.ts';
import type { Change, Move, Source, View } from './view.ts';
import { isOvertaken, writeTarget } from './write-target.ts';

/** Records whose contributions are compared at a time: of many some share a target, which is then written once for them. */
const RECORDS = 500;

type Wanted = {
  source: Source<unknown>;
  ids: readonly string[];
  /** Applies also what is as it was, for targets that an earlier release or a fault left behind. */
  again?: boolean;
};

/**
 * Makes the targets of a view fit records as they stand now. Each transaction moves some contributions together with
 * the targets that they change, on condition that nobody else moved them: it may be killed, repeated and done by two at once.
 */
export async function refresh(table: Table, view: View, { ids, ...wanted }: Wanted): Promise<void> {
  for (const part of chunksOf([...new Set(ids)], RECORDS)) {
    await retry(async () => apply(table, view, await planned(table, view, { ids: part, ...wanted })), isOvertaken);
    await view.after?.(table, part);
  }
  if (view.target.journal) await table.workJournal(view.target);
}

/** The stored rows that moves change. */
type Standing = { contributed: ReadonlyMap<string, Contributed>; targets: ReadonlyMap<string, Stored> };

type Planned = Standing & { moves: readonly Move<unknown>[]; ids: Map<string, string> };

async function planned(table: Table, view: View, { source, ids, again = false }: Wanted): Promise<Planned> {
  const of = ids.map((id) => ({ view: view.name, entity: source.entity.name, id }));
  // before the records: what was contributed meanwhile was read from them as they are, or as they were before
  const known = await readContributed(table, of);
  const records = await wholeRecordsAt(table, source.entity, { ordinals: ids.map(ordinalOf), consistent: true });
  const byId = new Map(records.map((record) => [record.id, record]));
  const moves = known
    .flatMap((one) => movesOf(one, contributionsOf(source, byId.get(one.id)), again))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const targets = await readTargets(table, view, [...new Set(moves.map(({ key }) => key))]);
  await view.prepare?.(table, { moves, standing: [...targets.values()] });
  const missing = new Set(moves.flatMap(({ key, added }) => (added && !targets.has(key) ? [key] : [])));
  const reserved = missing.size > 0 ? await table.reserve(view.target, missing.size) : [];
  const newIds = new Map([...missing].map((key, n) => [key, reserved[n] ?? '']));
  return { moves, targets, ids: newIds, contributed: new Map(known.map((one) => [one.id, one])) };
}

/** Stored and read again, facts have exactly these values. */
const contributionsOf = ({ contributions }: Source<unknown>, record: Stored | undefined): Map<string, unknown> =>
  new Map((record ? contributions(record) : []).map(({ key, facts }) => [key, JSON.parse(JSON.stringify(facts))]));

function movesOf({ id, facts: before }: Contributed, after: Map<string, unknown>, again: boolean): Move<unknown>[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key): Move<unknown>[] => {
    const [removed, added] = [before.get(key), after.get(key)];
    return !again && isDeepStrictEqual(removed, added) ? [] : [{ id, key, added, removed }];
  });
}

const changesOf = (moves: readonly Move<unknown>[]): Change<unknown>[] =>
  [...Map.groupBy(moves, ({ key }) => key)].map(([key, of]) => ({
    key,
    added: of.flatMap(({ added }) => added ?? []),
    removed: of.flatMap(({ removed }) => removed ?? []),
  }));

/** Moves that are tried in one transaction: each is a row of the record, one or two of its target and one of its key. */
const AT_ONCE = 24;

async function apply(table: Table, view: View, { moves, ids, ...read }: Planned): Promise<void> {
  let standing: Standing = read;
  for (let left = moves; left.length > 0; ) {
    let next = standing;
    const { batch, some } = await batchOfMany(
      () => table.batch(true),
      left.slice(0, AT_ONCE),
      (batch, part) => {
        next = write({ table, view, ids, batch }, standing, part);
      },
    );
    await batch.commit();
    standing = next;
    left = left.slice(some.length);
  }
}

type Writing = { table: Table; view: View; ids: ReadonlyMap<string, string>; batch: Batch };

/** Adds the rows of some moves to the batch. @returns what stands after it */
function write(writing: Writing, standing: Standing, moves: readonly Move<unknown>[]): Standing {
  const targets = new Map(standing.targets);
  for (const change of changesOf(moves)) {
    const newId = writing.ids.get(change.key);
    const after = writeTarget(writing, targets.get(change.key), { ...change, newId });
    if (after) targets.set(change.key, after);
    else targets.delete(change.key);
  }
  const contributed = new Map(standing.contributed);
  for (const [id, of] of Map.groupBy(moves, (move) => move.id)) {
    const before = contributed.get(id);
    if (!before) throw new Error(`nobody read what ${id} contributed`);
    const facts = new Map(before.facts);
    for (const { key, added } of of) added === undefined ? facts.delete(key) : facts.set(key, added);
    if (isDeepStrictEqual(facts, before.facts)) continue;
    const { write, next } = contributedWrite(writing.table, before, facts);
    writing.batch.write(write);
    contributed.set(id, next);
  }
  return { targets, contributed };
}
