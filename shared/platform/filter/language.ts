import type { Caller } from '../auth/permissions.ts';
import type { Table } from '../table/table.ts';
import { type Asking, type Compiled, compileFilter, LeafError, NOTHING, together } from './compile.ts';
import type { Fields } from './fields.ts';
import {
  type Filter,
  type FilteredEntity,
  formProblem,
  leavesOf,
  type Problem,
  placedLeaves,
  sizeProblem,
} from './filter.ts';
import { fieldNamed } from './names.ts';
import { FilterError, type Parsed, parseFilter } from './parse.ts';
import { type StoredSavedFilter, savedFilters } from './saved-filter.ts';

/** A filter as it was compiled; or the reason why it is none. */
type Read = ({ filter: Filter } & Compiled) | { problem: string; path?: Problem['path'] };

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
    const problem = asking.rule?.stored ? undefined : sizeProblem(filter);
    if (problem) return { problem: problem.message };
    return compileIn(filter, { fields, asking, columns });
  } catch (error) {
    if (error instanceof FilterError) return { problem: error.message };
    throw error;
  }
}

/** The filters of a rule that was saved. A text that an earlier release accepted may be none by now, and fits nothing. */
export function compileStored(given: readonly (string | Filter)[], fields: Fields, asking: Asking): Compiled {
  const parts = given.map((one) => {
    const read = readFilter(one, fields, asking);
    return 'problem' in read ? NOTHING : read;
  });
  return together(parts, 'all');
}

/** The teams that a filter names, with the field that knows their people. */
export function teamsIn(filter: Filter, fields: Fields) {
  const named = leavesOf(filter).flatMap(({ field, value }) => {
    const found = fields[fieldNamed(fields, field) ?? ''];
    return found?.kind === 'team' ? [{ peopleOf: found.peopleOf, ids: [value ?? []].flat() }] : [];
  });
  const [first] = named;
  return first && { peopleOf: first.peopleOf, ids: [...new Set(named.flatMap(({ ids }) => ids))] };
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

/** Problems name the column of the comparison in a text, its path in JSON. */
function compileIn(filter: Filter, { fields, asking, columns }: Place): Read {
  try {
    return { filter, ...compileFilter(filter, fields, asking) };
  } catch (error) {
    if (!(error instanceof LeafError)) throw error;
    const { leaf, member, message } = error;
    const column = columns.get(leaf);
    if (column !== undefined) return { problem: `column ${column}: ${message}` };
    const path = placedLeaves(filter).find((one) => one.leaf === leaf)?.path ?? [];
    return { problem: message, path: [...path, member] };
  }
}

type Named = { id: string; entity: FilteredEntity };
type Saved = { filter: string | Filter } | { problem: string };

/** A saved filter for a rule: everybody sees it. */
export async function sharedFilter(table: Table, { id, entity }: Named): Promise<Saved> {
  const saved = await table.find(savedFilters, id, true);
  if (saved?.visibility !== 'shared') return { problem: 'must be the id of a shared saved filter' };
  return ofEntity(saved, entity);
}

/** A saved filter that the caller may use for such records. @throws not_found */
export async function savedFilter(table: Table, caller: Pick<Caller, 'id'>, { id, entity }: Named): Promise<Saved> {
  const saved = await table.get(savedFilters, id);
  if (saved.visibility === 'private' && saved.createdBy.id !== caller.id)
    return { problem: 'is a private filter of somebody else' };
  return ofEntity(saved, entity);
}

const ofEntity = (saved: StoredSavedFilter, entity: FilteredEntity): Saved =>
  saved.entity === entity
    ? { filter: saved.filter }
    : { problem: `is a filter of ${saved.entity} and not of ${entity}` };
