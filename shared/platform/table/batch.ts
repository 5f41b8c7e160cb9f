import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError, notFound, Overtaken } from '../runtime/errors.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { retry, unlessOvertaken } from '../runtime/retry.ts';
import type { Author } from './actor.ts';
import { changeOf, entryWrite, type RecordChange } from './changes.ts';
import type { Counted, Entity, ListItem, Part, Stored } from './entity.ts';
import { ABSENT, commit, type Expression, MAX_TRANSACTION, type Write } from './io/commit.ts';
import { journalWrite, settleNotes, workJournal } from './journal.ts';
import { contributionOf, NOTHING, type RecordPlace } from './layout/contribution.ts';
import { type Keys, keysOf, type Row } from './layout/keys.ts';
import { longFieldsIn, originOf, recordOf, recordTo, rowsOf, takeOrigin } from './layout/record.ts';
import { assertSeen } from './part.ts';
import {
  changesIn,
  entriesOf,
  joinPlans,
  type Plan,
  planChange,
  planDifference,
  planOf,
  rowsOfPlan,
  rowsTogether,
  type Step,
} from './plan.ts';
import { uniqueWrites } from './unique.ts';

/** Records of any entities that change together, with the rows that count and find them, or not at all. */
export type Batch = {
  create<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): T;
  /** Fails if the record has another version than `read`. Detail fields may change only in a record read by `get`. */
  update<T extends Stored, D extends keyof T>(entity: Entity<T, D>, read: T | ListItem<T, D>, next: T): T;
  delete<T extends Stored, D extends keyof T>(entity: Entity<T, D>, read: T | ListItem<T, D>): void;
  write(...writes: Write[]): void;
  /** Reports to the change feed a change that `write` makes to a row of no collection. */
  announce(change: RecordChange): void;
  /** The same batch for records of another organization: both organizations' rows are one transaction. */
  within(tenant: string): Batch;
  /** The number of rows in the transaction; at most 100 fit. */
  size(): number;
  /** Takes these changes too, if they fit into the transaction with `spare` more rows; otherwise none of them. */
  takes(changes: (batch: Batch) => void, spare?: number): boolean;
  /** A batch of the same kind that begins with the changes which this one did not take, so that they need not be made again. */
  next(spare?: number): Batch;
  commit(): Promise<void>;
};

type BatchSource = { dynamo: Dynamo; tenant: string; author: Author; part?: Part | undefined };

/**
 * @param bulk notes changes of counters, positions and marks in the journal of entities that have one, instead of writing them: lists,
 *   counters and search follow when the journal is worked (docs/store.md)
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: an object of short functions
export function newBatch(
  { dynamo, tenant, author, part }: BatchSource,
  bulk = false,
  begun: Planned = nothing(bulk),
): Batch {
  const { steps } = begun;
  let { plan } = begun;
  let refused = nothing(bulk);
  const add = (step: Step) => {
    steps.push(step);
    step(plan);
  };
  const announce = (tenant: string, change: RecordChange | undefined) => {
    if (change) add((to) => changesIn(to, tenant).push(change));
  };
  /** Plans the changes apart, so that a batch that is full is as it was and need not be planned again. */
  const addIfFits = (changes: () => void, spare: number): boolean => {
    const [before, kept, more] = [steps.length, plan, planOf([], bulk)];
    let fits = false;
    plan = more;
    try {
      changes();
      fits = rowsTogether(kept, more) + spare <= MAX_TRANSACTION;
    } finally {
      plan = kept;
      if (!fits) refused = { steps: steps.splice(before), plan: more };
    }
    if (fits) joinPlans(plan, more);
    return fits;
  };
  const batchOf = (tenant: string): Batch => {
    const place = placesIn(tenant);
    return {
      announce: (change) => announce(tenant, change),
      create(entity, item) {
        assertSeen(part, entity, item);
        const { step, result } = creation(place(entity, item.id), entity, item);
        add(step);
        announce(tenant, changeOf(entity, { after: item }));
        return result;
      },
      update(entity, read, next) {
        assertSeen(part, entity, next);
        const { step, result } = change(place(entity, read.id), entity, { read, next });
        add(step);
        announce(tenant, changeOf(entity, { before: read, after: next }));
        return result;
      },
      delete(entity, read) {
        assertSeen(part, entity, read);
        add(deletion(place(entity, read.id), entity, read));
        announce(tenant, changeOf(entity, { before: read }));
      },
      write: (...more) => add((to) => to.writes.push(...more)),
      within: batchOf,
      size: () => rowsOfPlan(plan),
      takes: (changes, spare = 0) => addIfFits(() => changes(batch), spare),
      next(spare = 0) {
        if (rowsOfPlan(refused.plan) + spare > MAX_TRANSACTION)
          throw new Error('changes that belong together need more rows than a transaction has');
        return newBatch({ dynamo, tenant, author, part }, bulk, refused);
      },
      commit: () =>
        retry(async (attempt) => {
          const planned = attempt > 1 ? planOf(steps, bulk) : plan;
          if (bulk || rowsOfPlan(planned) <= MAX_TRANSACTION) return commitPlan({ dynamo, author }, planned);
          return commitLarge({ dynamo, author }, planOf(steps, true));
        }, isRekeyed),
    };
  };
  const batch = batchOf(tenant);
  return batch;
}

/** The steps of a batch, and the plan that they make together. */
type Planned = { steps: Step[]; plan: Plan };
const nothing = (bulk: boolean): Planned => ({ steps: [], plan: planOf([], bulk) });

/**
 * A record with many values has more rows than a transaction: its journal takes them, and is worked at once.
 * @throws limit_exceeded where no journal takes enough of them
 */
async function commitLarge({ dynamo, author }: Omit<BatchSource, 'tenant'>, plan: Plan): Promise<void> {
  if (rowsOfPlan(plan) > MAX_TRANSACTION) throw new ApiError('limit_exceeded', TOO_MANY_VALUES);
  await commitPlan({ dynamo, author }, plan);
  for (const { keys } of plan.notes.values()) await unlessOvertaken(workJournal(dynamo, keys));
}

async function commitPlan({ dynamo, author }: Omit<BatchSource, 'tenant'>, plan: Plan): Promise<void> {
  const { writes, adds, journals } = plan;
  for (const { keys, ordinals } of journals.values()) await settleNotes(dynamo, keys, ordinals);
  const entries = entriesOf(plan).map(({ keys, noted }) => journalWrite(keys, noted));
  const announced = [...plan.changes].map(([tenant, changes]) => entryWrite(tenant, author, { changes }));
  await commit(dynamo, [...writes, ...entries, ...announced], adds);
}

const TOO_MANY_VALUES =
  'The request changes too many values at once: send a part of the tags, names or people in each request.';

/** A batch has many records of few collections. */
function placesIn(tenant: string) {
  const known = new Map<string, Keys>();
  return (entity: Counted, id: string): RecordPlace => {
    const keys = known.get(entity.name) ?? keysOf(tenant, entity);
    known.set(entity.name, keys);
    return { keys, ordinal: ordinalOf(id) };
  };
}

export const placeOfRecord = (tenant: string, entity: Counted, id: string): RecordPlace => ({
  keys: keysOf(tenant, entity),
  ordinal: ordinalOf(id),
});

/** `rekey` changed the contribution of the record and nothing else: the batch plans its steps again. */
class Rekeyed extends Error {}
const isRekeyed = (error: unknown): boolean => error instanceof Rekeyed;

function creation<T extends Stored, D extends keyof T>(
  place: RecordPlace,
  entity: Entity<T, D>,
  item: T,
): { step: Step; result: T } {
  const to = contributionOf(entity, item);
  const { main, detail } = rowsOf(entity, item, {
    ...place,
    contribution: to,
    details: { fields: longFieldsIn(entity, item) },
  });
  const step = (plan: Plan) => {
    const { writes } = plan;
    writes.push({ put: main, condition: absent, fail: () => new ApiError('conflict', `${item.id} exists already.`) });
    if (detail) writes.push({ put: detail });
    planDifference(plan, place, { change: { from: NOTHING, to }, entity });
    writes.push(...uniqueWrites(place.keys, { id: item.id, had: {}, has: entity.unique(item) }));
  };
  return { step, result: recordTo(item, { main, contribution: to, complete: true, aside: undefined }) };
}

function change<T extends Stored, D extends keyof T>(
  place: RecordPlace,
  entity: Entity<T, D>,
  { read, next }: { read: T | ListItem<T, D>; next: T },
): { step: Step; result: T } {
  const { complete, detailVersion: was, aside } = originOf(read);
  const stays = was !== undefined && !(complete && detailChanged(entity.detail, read, next));
  const to = contributionOf(entity, complete ? next : withoutDetail(entity, next));
  const details = stays ? { version: was } : { fields: complete ? longFieldsIn(entity, next) : aside };
  const { main, detail } = rowsOf(entity, next, { ...place, contribution: to, details });
  const step = (plan: Plan) => {
    const { writes } = plan;
    writes.push({ put: main, condition: asRead(read), fail: (row) => changed(entity.name, read, row) });
    if (detail) writes.push({ put: detail });
    else if (was !== undefined && !stays) writes.push({ remove: place.keys.detail(place.ordinal) });
    planChange(plan, place, { change: { from: originOf(read).contribution(), to }, entity });
    const [had, has] = [entity.unique(read as T), entity.unique(next)];
    writes.push(...uniqueWrites(place.keys, { id: next.id, had, has }));
  };
  return { step, result: recordTo(next, { main, contribution: to, complete, aside }) };
}

function deletion<T extends Stored, D extends keyof T>(
  place: RecordPlace,
  entity: Entity<T, D>,
  read: T | ListItem<T, D>,
): Step {
  const { keys, ordinal } = place;
  return (plan) => {
    const { writes } = plan;
    const { contribution, detailVersion } = originOf(read);
    const fail = (row: Row | undefined) => changed(entity.name, read, row);
    writes.push({ remove: keys.record(ordinal), condition: asRead(read), fail });
    if (detailVersion !== undefined) writes.push({ remove: keys.detail(ordinal) });
    planChange(plan, place, { change: { from: contribution(), to: NOTHING }, entity });
    writes.push(...uniqueWrites(keys, { id: read.id, had: entity.unique(read as T), has: {} }));
  };
}

const absent: Expression = { ConditionExpression: ABSENT };

const asRead = (read: Stored): Expression => asStored({ version: read.version, _c: originOf(read).mark });

/** Holds while the record has this version and this contribution. */
export const asStored = ({ version, _c }: Record<string, NativeAttributeValue>): Expression => ({
  ConditionExpression: '#v = :v AND #c = :c',
  ExpressionAttributeNames: { '#v': 'version', '#c': '_c' },
  ExpressionAttributeValues: { ':v': version, ':c': _c },
});

function changed(kind: string, read: Stored, current: Row | undefined): Error {
  if (!current) return notFound(kind, read.id);
  if (current.version !== read.version || current._c === originOf(read).mark) return new Overtaken(recordOf(current));
  takeOrigin(read, current);
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
