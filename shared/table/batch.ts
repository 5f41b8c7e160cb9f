import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError, notFound, Overtaken } from '../runtime/errors.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import type { Entity, ListItem, Stored } from './entity.ts';
import { commit, type Expression, type Write, writeRows } from './io/commit.ts';
import {
  type Adds,
  addChanges,
  type ContributionChange,
  contributionOf,
  effective,
  NOTHING,
  type RecordPlace,
  searchChanges,
} from './layout/contribution.ts';
import { type Keys, keysOf, type Row } from './layout/keys.ts';
import { unpack } from './layout/packed.ts';
import { originIn, originOf, recordOf, rowsOf, setOrigin } from './layout/record.ts';

/** Records of any entities that change together, with the rows that count and find them, or not at all. */
export type Batch = {
  create<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): T;
  /** Fails if the record has another version than `read`. Detail fields may change only in a record read by `get`. */
  update<T extends Stored, D extends keyof T>(entity: Entity<T, D>, read: T | ListItem<T, D>, next: T): T;
  delete<T extends Stored, D extends keyof T>(entity: Entity<T, D>, read: T | ListItem<T, D>): void;
  write(...writes: Write[]): void;
  /** The same batch for records of another organization: both organizations' rows are one transaction. */
  within(scope: string): Batch;
  /** The number of rows in the transaction; at most 100 fit. */
  size(): number;
  /** Starts writing the search and detail rows of a bulk batch now, which `commit` would do otherwise. */
  prepare(): Promise<void>;
  commit(): Promise<void>;
};

/** The rows of a transaction, and those that a bulk batch writes before it. */
type Plan = { writes: Write[]; adds: Adds; before: Row[] };
/** Adds one change to a plan and does nothing else, so that a batch may plan its steps again (docs/store.md). */
type Step = (plan: Plan) => void;

function planOf(steps: readonly Step[]): Plan {
  const plan: Plan = { writes: [], adds: new Map(), before: [] };
  for (const step of steps) step(plan);
  return plan;
}

/**
 * @param bulk writes search and detail rows of new records before the transaction, for half the price. The ids are
 *   reserved before, so a retry after a crash writes the same rows again, and no list shows a record before the
 *   transaction. Reserved ids must have one writer at a time (a FIFO group), and that writer must not repeat a batch
 *   that its checkpoint says is committed.
 */
export function newBatch(dynamo: Dynamo, scope: string, bulk = false): Batch {
  const steps: Step[] = [];
  let plan = planOf([]);
  let prepared: Promise<void> | undefined;
  const add = (step: Step) => {
    steps.push(step);
    step(plan);
  };
  const batchOf = (scope: string): Batch => ({
    create(entity, item) {
      const { step, result } = creation(placeOfRecord(scope, entity, item.id), entity, { item, bulk });
      add(step);
      return result;
    },
    update(entity, read, next) {
      const { step, result } = change(placeOfRecord(scope, entity, read.id), entity, { read, next });
      add(step);
      return result;
    },
    delete: (entity, read) => add(deletion(placeOfRecord(scope, entity, read.id), entity, read)),
    write: (...more) => add((to) => to.writes.push(...more)),
    within: batchOf,
    size: () => plan.writes.length + effective(plan.adds).length,
    prepare() {
      prepared ??= writeRows(dynamo, { put: plan.before });
      return prepared;
    },
    async commit() {
      await (prepared ?? writeRows(dynamo, { put: plan.before }));
      const planned = async (attempt: number) => {
        if (attempt > 1) plan = planOf(steps);
        await commit(dynamo, plan.writes, plan.adds);
      };
      await retry(planned, (error) => error instanceof Rekeyed);
    },
  });
  return batchOf(scope);
}

export const placeOfRecord = (scope: string, entity: Pick<Entity, 'name' | 'shards'>, id: string): RecordPlace => ({
  keys: keysOf(scope, entity),
  ordinal: ordinalOf(id),
});

/** `rekey` changed the contribution of the record and nothing else: the batch plans its steps again. */
class Rekeyed extends Error {}

function creation<T extends Stored, D extends keyof T>(
  place: RecordPlace,
  entity: Entity<T, D>,
  { item, bulk }: { item: T; bulk: boolean },
): { step: Step; result: T } {
  const to = contributionOf(entity, item);
  const detailVersion = entity.detail.length > 0 ? item.version : undefined;
  const { main, detail } = rowsOf(entity, item, { ...place, contribution: to, detailVersion });
  const step = ({ writes, adds, before }: Plan) => {
    const sideRows = [...searchChanges(place, { from: NOTHING, to }).put, ...(detailVersion ? [detail] : [])];
    addChanges(adds, place, { from: NOTHING, to });
    writes.push({ put: main, condition: absent, fail: () => new ApiError('conflict', `${item.id} exists already.`) });
    writes.push(...uniqueWrites(place.keys, { id: item.id, had: {}, has: entity.unique(item) }));
    if (bulk) before.push(...sideRows);
    else writes.push(...sideRows.map((row) => ({ put: row })));
  };
  return { step, result: recordOf<T>(main, detailVersion ? detail : undefined) };
}

function change<T extends Stored, D extends keyof T>(
  place: RecordPlace,
  entity: Entity<T, D>,
  { read, next }: { read: T | ListItem<T, D>; next: T },
): { step: Step; result: T } {
  const { complete, detailVersion: was } = originOf(read);
  const rewritten =
    complete && entity.detail.length > 0 && (was === undefined || detailChanged(entity.detail, read, next));
  const detailVersion = rewritten ? next.version : was;
  const to = contributionOf(entity, complete ? next : withoutDetail(entity, next));
  const { main, detail } = rowsOf(entity, next, { ...place, contribution: to, detailVersion });
  const step = ({ writes, adds }: Plan) => {
    writes.push({ put: main, condition: asRead(read), fail: (row) => changed(entity.name, read, row) });
    if (rewritten) writes.push({ put: detail });
    addContribution(place, { writes, adds }, { from: unpack(originOf(read).packed), to });
    const [had, has] = [entity.unique(read as T), entity.unique(next)];
    writes.push(...uniqueWrites(place.keys, { id: next.id, had, has }));
  };
  return { step, result: recordOf<T>(main, complete && detailVersion !== undefined ? detail : undefined) };
}

function deletion<T extends Stored, D extends keyof T>(
  place: RecordPlace,
  entity: Entity<T, D>,
  read: T | ListItem<T, D>,
): Step {
  const { keys, ordinal } = place;
  return ({ writes, adds }) => {
    const { packed, detailVersion } = originOf(read);
    const fail = (row: Row | undefined) => changed(entity.name, read, row);
    writes.push({ remove: keys.record(ordinal), condition: asRead(read), fail });
    if (detailVersion !== undefined) writes.push({ remove: keys.detail(ordinal) });
    addContribution(place, { writes, adds }, { from: unpack(packed), to: NOTHING });
    writes.push(...uniqueWrites(keys, { id: read.id, had: entity.unique(read as T), has: {} }));
  };
}

function addContribution(
  place: RecordPlace,
  { writes, adds }: Pick<Plan, 'writes' | 'adds'>,
  contribution: ContributionChange,
): void {
  addChanges(adds, place, contribution);
  const { put, remove } = searchChanges(place, contribution);
  writes.push(...put.map((row) => ({ put: row })), ...remove.map((row) => ({ remove: row })));
}

const absent: Expression = { ConditionExpression: 'attribute_not_exists(pk)' };

const asRead = (read: Stored): Expression => atVersion(read.version, originOf(read).packed);

/** Holds while the record has this version and this contribution. */
export const atVersion = (version: number, packed: string): Expression => ({
  ConditionExpression: '#v = :v AND #c = :c',
  ExpressionAttributeNames: { '#v': 'version', '#c': '_c' },
  ExpressionAttributeValues: { ':v': version, ':c': packed },
});

function changed(kind: string, read: Stored, standing: Row | undefined): Error {
  if (!standing) return notFound(kind, read.id);
  const { packed, complete } = originOf(read);
  if (standing.version !== read.version || standing._c === packed) return new Overtaken(recordOf(standing));
  setOrigin(read, originIn(standing, complete));
  return new Rekeyed();
}

/** A record from a list lacks its detail fields: reading one for a counter or a search word is an error. */
function withoutDetail<T extends Stored, D extends keyof T>(entity: Entity<T, D>, next: T): T {
  const partial = { ...next };
  for (const field of entity.detail) {
    const refuse = () => {
      throw new Error(`${entity.name}.${String(field)} is a detail field: read the record by get before changing it`);
    };
    if (next[field] !== undefined) refuse();
    Object.defineProperty(partial, field, { get: refuse, enumerable: false });
  }
  return partial;
}

const detailChanged = (fields: readonly PropertyKey[], read: object, next: object): boolean =>
  fields.some((field) => Reflect.get(read, field) !== Reflect.get(next, field));

type Unique = Record<string, string | null | undefined>;

function uniqueWrites(keys: Keys, { id, had, has }: { id: string; had: Unique; has: Unique }): Write[] {
  const writes: Write[] = [];
  for (const field of new Set([...Object.keys(had), ...Object.keys(has)])) {
    const [old, value] = [had[field] ?? undefined, has[field] ?? undefined];
    if (old === value) continue;
    if (old !== undefined) writes.push({ remove: keys.unique(field, old) });
    if (value !== undefined)
      writes.push({ put: { ...keys.unique(field, value), id }, condition: absent, fail: () => taken(field, value) });
  }
  return writes;
}

const taken = (field: string, value: string): ApiError =>
  new ApiError('conflict', `Another record has this ${field} already.`, {
    details: [{ path: field, message: `${value} is taken` }],
  });
