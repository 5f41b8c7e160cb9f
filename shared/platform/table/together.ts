import type { Dynamo } from '../runtime/dynamo.ts';
import { addUp, type Counts } from './counters.ts';
import type { Counted } from './entity.ts';
import { queryRows } from './io/read.ts';
import { type Row, togetherPartition } from './layout/keys.ts';

/** The rows of all collections of the organization with shared facet reads: about 3 KB, one query. */
export const readTogether = (dynamo: Dynamo, tenant: string, consistent = false): Promise<Row[]> =>
  queryRows(dynamo, { pk: togetherPartition(tenant), all: true, consistent });

/** The facets of one collection, from the read of all. */
export const facetsAmong = async (entity: Counted, together: Promise<Row[]>): Promise<Counts> =>
  addUp((await together).filter(({ sk }) => sk === entity.name));

/** Calls of the same moment share one read; a later call reads again, so that it sees every earlier write. */
export function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
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
