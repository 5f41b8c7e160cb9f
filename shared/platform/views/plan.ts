import { isDeepStrictEqual } from 'node:util';
import { ordinalOf } from '../runtime/ids.ts';
import type { Entity, Stored } from '../table/entity.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { type Contributed, keysIn, placeOf, readContributed } from './contributed.ts';
import { readTargets } from './targets.ts';
import type { Move, View } from './view.ts';

/** A contribution that moves in a view. */
export type Moving = Move<unknown> & { view: View; place: string };

/** The stored rows that moves change: contributions by their records, targets by their places. */
export type Current = { contributed: ReadonlyMap<string, Contributed>; targets: ReadonlyMap<string, Stored> };

export type Plan = Current & {
  moves: readonly Moving[];
  /** Reserved for the targets that are made. */
  newIds: ReadonlyMap<string, string>;
  /** The records that contribute to any view, or may have contributed. */
  concerned: readonly string[];
};

type Wanted = { entity: Entity; ids: readonly string[]; again: boolean };

/** Reads the records and their former contributions, and plans the moves in these views. */
export async function plan(table: Table, views: readonly View[], { entity, ids, again }: Wanted): Promise<Plan> {
  // before the records: contributions of the meantime come from the current or a former state of the records
  const known = await readContributed(table, entity.name, ids);
  const records = await wholeRecordsAt(table, entity, { ordinals: ids.map(ordinalOf), consistent: true });
  const byId = new Map(records.map((record) => [record.id, record]));
  const moving = known.map((one) =>
    views.flatMap((view) => movesOf(view, entity, { one, record: byId.get(one.id), again })),
  );
  const moves = sideBySide(moving);
  const read = await Promise.all(views.map((view) => prepared(table, view, moves)));
  return {
    moves,
    targets: new Map(read.flatMap(({ targets }) => targets)),
    newIds: new Map(read.flatMap(({ newIds }) => newIds)),
    contributed: new Map(known.map((one) => [one.id, one])),
    concerned: known.flatMap(({ id, mark }, n) => {
      // a record as it was made that contributes nothing never did
      const never = mark === undefined && moving[n]?.length === 0 && byId.get(id)?.version === 1;
      return never ? [] : [id];
    }),
  };
}

type Compared = { one: Contributed; record: Stored | undefined; again: boolean };

function movesOf(view: View, entity: Entity, { one, record, again }: Compared): Moving[] {
  const now = contributionsOf(view, entity, record);
  const keys = [...new Set([...keysIn(one, view.name), ...now.keys()])].sort();
  return keys.flatMap((key): Moving[] => {
    const place = placeOf(view.name, key);
    const [removed, added] = [one.facts.get(place), now.get(key)];
    return !again && isDeepStrictEqual(removed, added) ? [] : [{ id: one.id, view, place, key, added, removed }];
  });
}

/** Stored and read again, facts have exactly these values. */
function contributionsOf({ sources }: View, entity: Entity, record: Stored | undefined): Map<string, unknown> {
  const made = record
    ? sources.flatMap((source) => (source.entity.name === entity.name ? source.contributions(record) : []))
    : [];
  return new Map(made.map(({ key, facts }) => [key, JSON.parse(JSON.stringify(facts))]));
}

/**
 * The moves of a record follow each other, because they rewrite the one row of its contributions, and records that share
 * targets do, because a transaction writes a target once.
 */
const sideBySide = (moving: readonly Moving[][]): Moving[] =>
  moving
    .map((moves) => ({ moves, places: moves.map(({ place }) => place).join('\n') }))
    .sort((a, b) => (a.places < b.places ? -1 : 1))
    .flatMap(({ moves }) => moves);

/** The existing targets of a view, and ids for the targets that its moves make. */
async function prepared(table: Table, view: View, all: readonly Moving[]) {
  const moves = all.filter((move) => move.view === view);
  const current = await readTargets(table, view, [...new Set(moves.map(({ key }) => key))]);
  await view.prepare?.(table, { moves, current: [...current.values()] });
  const missing = [...new Set(moves.flatMap(({ key, added }) => (added && !current.has(key) ? [key] : [])))];
  const reserved = missing.length > 0 ? await table.reserve(view.target, missing.length) : [];
  return {
    targets: [...current].map(([key, target]) => [placeOf(view.name, key), target] as const),
    newIds: missing.map((key, n) => [placeOf(view.name, key), reserved[n] ?? ''] as const),
  };
}
