import type { Caller } from '../auth/permissions.ts';
import type { Marked } from '../table/combined.ts';
import type { Table } from '../table/table.ts';
import { type Asking, compileFilter, LeafError } from './compile.ts';
import type { Fields } from './fields.ts';
import { type Filter, type FilteredEntity, formProblem, type Problem, sizeProblem } from './filter.ts';
import { FilterError, type Parsed, parseFilter } from './parse.ts';
import { savedFilters } from './saved-filter.ts';

/** A filter with the condition for its records; or the reason why the text is none. */
type Read = { filter: Filter; matching: Marked } | { problem: string; path?: Problem['path'] };

/**
 * Reads a text, or a filter as JSON, also as text. This file is beside the bundles of the areas, which load it with their
 * first filter. So it answers problems and throws no error of the service.
 */
export function readFilter(given: string | Filter, fields: Fields, asking: Asking): Read {
  try {
    const form = typeof given === 'string' && given.startsWith('{') ? parsed(given) : given;
    const wrong = typeof form === 'string' ? undefined : formProblem(form);
    if (wrong) return { path: wrong.path, problem: wrong.message };
    const { filter, columns }: Parsed =
      typeof form === 'string' ? parseFilter(form, fields) : { filter: form as Filter, columns: new Map() };
    const problem = sizeProblem(filter);
    if (problem) return { problem: problem.message };
    return { filter, matching: compileIn(filter, { fields, asking, columns }) };
  } catch (error) {
    if (error instanceof FilterError) return { problem: error.message };
    throw error;
  }
}

/** @throws FilterError */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FilterError('is no JSON: a filter for people begins with no brace');
  }
}

type Place = { fields: Fields; asking: Asking; columns: Parsed['columns'] };

/** @throws FilterError with the column of the comparison */
function compileIn(filter: Filter, { fields, asking, columns }: Place): Marked {
  try {
    return compileFilter(filter, fields, asking);
  } catch (error) {
    if (!(error instanceof LeafError)) throw error;
    const column = columns.get(error.leaf);
    throw new FilterError(column === undefined ? error.message : `column ${column}: ${error.message}`);
  }
}

type Saved = { filter: string | Filter } | { problem: string };

/** A saved filter that the caller may use for such records. @throws not_found */
export async function savedFilter(
  table: Table,
  caller: Caller,
  { id, entity }: { id: string; entity: FilteredEntity },
): Promise<Saved> {
  const saved = await table.get(savedFilters, id);
  if (saved.visibility === 'private' && saved.createdBy.id !== caller.id)
    return { problem: 'is a private filter of somebody else' };
  if (saved.entity !== entity) return { problem: `is a filter of ${saved.entity} and not of ${entity}` };
  return { filter: saved.filter };
}
