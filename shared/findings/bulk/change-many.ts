import type { Work } from '#shared/platform/jobs/worker.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findings } from '../finding/finding.ts';
import { changeFinding, deleteFinding } from '../triage/change.ts';
import { FINDING_COLLECTIONS } from '../view/find.ts';
import { type DecidedFinding, type Deciding, decided, type ManyResult } from './decision.ts';
import { type Item, type Reading, readFound } from './found.ts';
import { type Changing, type Part, workParts } from './slices.ts';
import { type Undoable, undoable } from './undo-rows.ts';

/** Work on many findings. A deletion needs them whole. */
type ManyWork = Deciding & Reading & Pick<Part, 'undoableDays'> & { select: Part['select'] };

/** Works one message of a task that changes many findings. @returns undefined when it goes on with another message */
export async function changeMany(work: Work, many: ManyWork): Promise<ManyResult | undefined> {
  const results = await workParts(work, [findingsPart(work.table, many)]);
  return results?.[0];
}

/** Work on many findings as a part of a task. */
export const findingsPart = (table: Table, many: ManyWork): Part => ({
  select: many.select,
  async decide(items: readonly Item[], places) {
    const found = await readFound(table, items, many);
    await many.prepare?.(
      found.flatMap((one) => one?.finding ?? []),
      places,
    );
    return found.map((one) => {
      const { outcome, refused, kind, ...of } = decided(many.decide, one);
      const change = (to: Changing) => changeOne(to, of, many);
      return { outcome, refused, kind, collection: of.entity, ...(of.decision && { change }) };
    });
  },
  collections: FINDING_COLLECTIONS,
  undoableDays: many.undoableDays,
});

function changeOne(
  { table, batch, at, taskId }: Changing,
  { finding, entity = findings, decision }: Pick<DecidedFinding, 'finding' | 'entity' | 'decision'>,
  { whole }: Pick<ManyWork, 'whole'>,
): Undoable | undefined {
  if (!finding || !decision) return undefined;
  if (decision !== 'delete') {
    const place = { table, batch, entity, at, taskId };
    if ('several' in decision) return decision.several(place);
    changeFinding(place, finding, { ...decision, at, taskId });
    return undoable(finding, decision.changes);
  }
  if (!whole) throw new Error('only whole findings can be deleted: their fingerprint is a long field');
  deleteFinding({ table, batch, entity }, finding);
  return undefined;
}
