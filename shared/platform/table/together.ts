import { isDeepStrictEqual } from 'node:util';
import type { Dynamo } from '../runtime/dynamo.ts';
import { Overtaken } from '../runtime/errors.ts';
import { retry } from '../runtime/retry.ts';
import { addUp, type Counts } from './counters.ts';
import type { Counted } from './entity.ts';
import { commit, type Expression } from './io/commit.ts';
import { getRow, queryRows } from './io/read.ts';
import { type Key, keysOf, type Row, togetherPartition } from './layout/keys.ts';

/*
 * Facets of the collections that have them together. Up to release 1.7 each collection had its facets in a row of its own. A write
 * of this release adds to the new row, so that the sum of both rows is right at every moment; `rekey` moves the amounts of the old
 * one. The row `~moved` says that no old row counts any more.
 */

type Place = { dynamo: Dynamo; scope: string };
type Collection = Place & { entity: Counted };

/** Sorts behind the names of all collections. */
const movedKey = (scope: string): Key => ({ pk: togetherPartition(scope), sk: '~moved' });

/** The rows of all collections of the organization that have their facets together: some 3 KB, one query. */
export const readTogether = (dynamo: Dynamo, scope: string, consistent = false): Promise<Row[]> =>
  queryRows(dynamo, { pk: togetherPartition(scope), all: true, consistent });

/** The facets of one collection among those of all. */
export async function facetsAmong({ dynamo, scope, entity }: Collection, together: Promise<Row[]>): Promise<Counts> {
  const rows = await together;
  const { sk: moved } = movedKey(scope);
  if (rows.some(({ sk }) => sk === moved)) return addUp(rows.filter(({ sk }) => sk === entity.name));
  const own = () => getRow(dynamo, ownKey(scope, entity), true);
  return retry(async () => {
    const before = await own();
    const joint = await getRow(dynamo, keysOf(scope, entity).facets(0), true);
    // else the amounts may have gone from one row to the other between the two reads
    if (!isDeepStrictEqual(before, await own())) throw new Overtaken();
    return addUp([before, joint].flatMap((row) => row ?? []));
  });
}

const ownKey = (scope: string, entity: Counted): Key => keysOf(scope, { ...entity, together: false }).facets(0);

/** Moves the amounts that an earlier release has counted in a row of the collection's own. Repeating it changes nothing. */
export async function moveFacets({ dynamo, scope, entity }: Collection): Promise<void> {
  if (!entity.together) return;
  await retry(async () => {
    const { pk, sk, ...counts } = (await getRow(dynamo, ownKey(scope, entity), true)) ?? ownKey(scope, entity);
    const amounts = Object.entries(counts).flatMap(([name, n]) =>
      Number(n) === 0 ? [] : [[name, Number(n)] as const],
    );
    if (amounts.length === 0) return;
    const add = Object.fromEntries(amounts);
    const taken = Object.fromEntries(amounts.map(([name, n]) => [name, -n]));
    await commit(
      dynamo,
      [
        { change: { pk, sk }, add: taken, condition: withAmounts(amounts), fail: () => new Overtaken() },
        { change: keysOf(scope, entity).facets(0), add },
      ],
      new Map(),
    );
  });
}

/** Holds while a row has these amounts. */
const withAmounts = (amounts: readonly (readonly [name: string, n: number])[]): Expression => ({
  ConditionExpression: amounts.map((_, n) => `#${n} = :${n}`).join(' AND '),
  ExpressionAttributeNames: Object.fromEntries(amounts.map(([name], n) => [`#${n}`, name])),
  ExpressionAttributeValues: Object.fromEntries(amounts.map(([, amount], n) => [`:${n}`, amount])),
});

/** Notes that the organization has no facets in rows of their own: it is new, or all of them were moved. */
export const noteMoved = ({ dynamo, scope }: Place): Promise<void> =>
  commit(dynamo, [{ put: movedKey(scope) }], new Map());

/** Calls of the same moment share one read; a later call reads anew, so that it sees every write before it. */
export function atOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  return () => {
    if (shared) return shared;
    shared = read();
    queueMicrotask(() => {
      shared = undefined;
    });
    return shared;
  };
}
