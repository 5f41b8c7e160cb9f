import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { isManual } from '#shared/findings/finding/manual.ts';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { problemKey } from './problem-key.ts';

/** The ordinal of a finding on the one asset, and of the finding on the other asset with the same problem. */
type Pair = [number, number];

/**
 * The findings of an asset that is merged into another asset; stores those with a counterpart there beside the
 * selection.
 */
export async function selectMerged(work: Work, assetId: string, intoId: string): Promise<number[]> {
  const selected: number[] = [];
  const pairs: Pair[] = [];
  for (const entity of [findings, branchFindings]) {
    const ordinals = await ordinalsOf(work.table, entity, { where: { asset: assetId } });
    const others = ordinals.length > 0 ? await ordinalsOf(work.table, entity, { where: { asset: intoId } }) : [];
    selected.push(...ordinals);
    if (others.length > 0) pairs.push(...(await pairsOf(work.table, entity, [ordinals, others])));
  }
  await work.connections.bucket.put(pairsKey(work), JSON.stringify(pairs));
  return selected;
}

export async function readPairs(work: Work): Promise<Map<number, number>> {
  const bytes = await work.connections.bucket.get(pairsKey(work));
  return new Map(bytes ? (JSON.parse(Buffer.from(bytes).toString()) as Pair[]) : []);
}

const pairsKey = ({ table, task }: Work): string => `${taskFolder(table.organizationId, task.id)}/pairs.json`;

async function pairsOf(table: Table, entity: typeof findings, sides: readonly [number[], number[]]): Promise<Pair[]> {
  const [mine, theirs] = [await byProblem(table, entity, sides[0]), await byProblem(table, entity, sides[1])];
  return [...mine].flatMap(([key, ordinal]) => {
    const other = theirs.get(key);
    return ordinal === undefined || other === undefined ? [] : [[ordinal, other] as Pair];
  });
}

const READ_AT_ONCE = 500;

/** The reported finding of each key; undefined where several have the key, because nothing shows which one is meant. */
async function byProblem(
  table: Table,
  entity: typeof findings,
  ordinals: readonly number[],
): Promise<Map<string, number | undefined>> {
  const found = new Map<string, number | undefined>();
  for (const some of chunksOf(ordinals, READ_AT_ONCE))
    for (const finding of await wholeRecordsAt(table, entity, { ordinals: some, consistent: true })) {
      if (isManual(finding)) continue;
      const key = problemKey(finding);
      found.set(key, found.has(key) ? undefined : ordinalOf(finding.id));
    }
  return found;
}
