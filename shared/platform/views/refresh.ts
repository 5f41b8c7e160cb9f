import { chunksOf } from '../runtime/chunks.ts';
import { retry } from '../runtime/retry.ts';
import type { Table } from '../table/table.ts';
import { apply } from './apply.ts';
import { plan } from './plan.ts';
import { sourcesOf, type View } from './view.ts';
import { isOvertaken } from './write-target.ts';

/**
 * Records whose contributions one step compares: many records often share a target, which is then written once for all.
 */
const RECORDS = 500;

type Wanted = {
  /** The name of their collection. */
  entity: string;
  ids: readonly string[];
  /** Also applies unchanged contributions, for targets that an earlier release or a fault left behind. */
  again?: boolean;
};

/**
 * Makes the targets of views match the current records. Each transaction moves some contributions together with the
 * targets that they change, if nobody else moved them: it may be killed, repeated and run twice at once.
 */
export async function refresh(table: Table, views: readonly View[], { entity: name, ids, again = false }: Wanted) {
  const entity = sourcesOf(views).find((source) => source.name === name);
  if (!entity) return;
  const fed = views.filter(({ sources }) => sources.some((source) => source.entity.name === name));
  const concerned: string[] = [];
  for (const part of chunksOf([...new Set(ids)], RECORDS)) {
    const of = await retry(async () => {
      const planned = await plan(table, fed, { entity, ids: part, again });
      await apply(table, planned);
      return planned.concerned;
    }, isOvertaken);
    concerned.push(...of);
  }
  for (const { target } of fed) if (target.journal) await table.workJournal(target);
  // after the journal: they ask the counters of the targets whether there is anything to do
  const followers = new Set(fed.flatMap(({ after }) => after ?? []));
  for (const part of chunksOf(concerned, RECORDS)) for (const follow of followers) await follow(table, part);
}
