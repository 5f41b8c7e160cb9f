import * as z from 'zod';
import { invalid } from '../runtime/errors.ts';
import { SearchQuery } from './pagination.ts';
import { Id } from './records.ts';

const MAX_IDS = 1000;

/** The fields of a body that say which records an operation on many is for: their ids, or the filters of their list. */
export const whichOf = <F extends z.ZodRawShape>(records: string, filters: F) => ({
  ids: z
    .array(Id)
    .min(1)
    .max(MAX_IDS)
    .optional()
    .meta({ description: `the ${records}; or \`filter\``, example: ['01900000-0000-7000-8000-000000000000'] }),
  filter: z
    .strictObject({ ...filters, search: SearchQuery.shape.search.optional() })
    .optional()
    .meta({ description: `the ${records} that the list and the search give for these parameters; at least one` }),
});

export const dryRun = z
  .boolean()
  .default(false)
  .meta({ description: 'answers `preview` of each record, exact and as a list, and changes nothing' });

type Which<F> = { ids?: readonly string[] | undefined; filter?: F | undefined };

/**
 * The ids without duplicates, or the selection of a filter. @throws validation_failed for both, for none, or for a
 * filter without a parameter
 */
export function wantedBy<F extends object, S>(
  { ids, filter }: Which<F>,
  selectionOf: (filter: F) => S,
): { ids: readonly string[] } | { selection: S } {
  if (ids && !filter) return { ids: [...new Set(ids)] };
  if (!filter || ids) throw invalid('ids', 'send either ids or filter, not both');
  if (Object.values(filter).every((value) => value === undefined))
    throw invalid(
      'filter',
      'must have at least one parameter, such as status; all statuses together select everything',
    );
  return { selection: selectionOf(filter) };
}
