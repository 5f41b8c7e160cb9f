import * as z from 'zod';
import type { Scope } from '#shared/platform/auth/permissions.ts';
import { FILTERED_ENTITIES } from '#shared/platform/filter/filter.ts';
import { SavedFilter } from '#shared/platform/filter/saved-filter.ts';
import { FilterInput, FilterObject } from '#shared/platform/filter/schema.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

/** A key needs one of these scopes, and for the records of a filter the scope of their list. */
const scopes: readonly Scope[] = ['findings:read', 'vulnerabilities:read', 'assets:read', 'soc:read'];
const access = { role: 'viewer', area: 'any', scope: scopes } as const;

const entity = z
  .enum(FILTERED_ENTITIES)
  .meta({ description: 'the records that the filter selects', example: 'finding' });

const ofQuery = entity.default('finding');

const FilterCheck = objectNamed('FilterCheck', {
  filter: FilterObject.meta({
    description: 'the filter as JSON',
    example: { field: 'kev', operator: 'equals', value: 'true' },
  }),
  text: z.string().meta({ description: 'the filter as text', example: 'kev:true' }),
  count: z
    .int()
    .nonnegative()
    .nullable()
    .meta({ description: 'the records that fit now; null: a list in the order of time has no counts' }),
  truncated: z.literal(true).optional().meta({ description: 'too many words or days fit: `count` is a lower bound' }),
  cost: z
    .object({
      values: z.int().meta({ description: 'values, words and ranges that the index reads' }),
      blocks: z.int().meta({ description: 'blocks of 4,320 records of the collection, each a row for each value' }),
    })
    .meta({ description: 'why a filter takes long: a list reads at most `values` x `blocks` rows' }),
});

const FilterField = objectNamed('FilterField', {
  name: z.string().meta({ example: 'severity' }),
  kind: z.enum(['choice', 'flag', 'value', 'person', 'team', 'day', 'number', 'words', 'names', 'address']),
  description: z.string(),
  operators: z.array(z.string()).meta({ description: 'of the JSON form; none: only rules compare the field' }),
  inRules: z
    .array(z.string())
    .meta({ description: 'the operators in rules, which also compare what no index answers' }),
  values: z.array(z.string()).nullable().meta({ description: 'all values, where there are few' }),
  example: z.string().meta({ example: 'severity:critical,high' }),
});

const Side = z.object({
  count: z.int().nonnegative(),
  ids: z.array(z.string()).meta({ description: 'the newest 20' }),
  filter: FilterObject.meta({ description: 'the filter that lists all' }),
  truncated: z.literal(true).optional().meta({ description: 'too many words or days fit: `count` is a lower bound' }),
});

const SavedFilterPreview = objectNamed('SavedFilterPreview', {
  begin: Side.meta({ description: 'the records that begin to fit' }),
  cease: Side.meta({ description: 'the records that cease to fit' }),
  usedBy: SavedFilter.shape.usedBy,
});

const FilterValue = objectNamed('FilterValue', {
  value: z.string(),
  count: z
    .int()
    .nonnegative()
    .nullable()
    .meta({ description: 'records of the collection that have it; null: its list has no counts' }),
});

export const filterRoutes = defineRoutes({
  checkFilter: post('/api/v1/filters/check', {
    summary: 'Explain a filter: its two forms, how many records fit, and its cost',
    description:
      'The request changes nothing. A filter that is wrong is refused with the column and the nearest known field or value. ' +
      'docs/filters.md explains the language.',
    access,
    inPart: 'seen',
    readOnly: true,
    body: z.strictObject({ entity, filter: FilterInput }),
    response: FilterCheck,
  }),
  listFilterFields: get('/api/v1/filters/fields', {
    summary: 'List the fields by which records can be filtered',
    description: 'Each field has its operators, an example, and all values where there are few.',
    access,
    inPart: 'same',
    query: z.object({ entity: ofQuery }),
    response: z.array(FilterField),
  }),
  listFilterValues: get('/api/v1/filters/values', {
    summary: 'List values of a field with their numbers of records, for completion',
    description:
      'Lists all values of a field with few values. Of other fields it lists the values among the newest 500 records, at most 50, the ' +
      'most frequent first. The counts are of all records.',
    access,
    inPart: 'seen',
    query: z.object({
      entity: ofQuery,
      field: z
        .string()
        .min(1)
        .max(60)
        .meta({ description: 'a field of `GET /api/v1/filters/fields`', example: 'tool' }),
      search: z.string().trim().min(1).max(100).optional().meta({ description: 'a part of the value' }),
    }),
    response: z.array(FilterValue),
  }),
  listSavedFilters: get('/api/v1/saved-filters', {
    summary: 'List saved filters, newest first',
    description: 'Lists your own filters and those that others share.',
    access,
    inPart: 'same',
    query: Listing.extend({ entity: entity.optional() }),
    response: pageOf(SavedFilter),
  }),
  createSavedFilter: post('/api/v1/saved-filters', {
    summary: 'Save a filter under a name',
    description:
      'Lists, bulk changes and exports take its id as `filterId`. `me` in a shared filter is the person who uses it. An organization has at ' +
      'most 500 saved filters.',
    access,
    inPart: 'same',
    body: createBody(SavedFilter),
    response: SavedFilter,
  }),
  getSavedFilter: get('/api/v1/saved-filters/{id}', {
    summary: 'Read a saved filter',
    description: 'A private filter of somebody else is not found.',
    access,
    inPart: 'same',
    response: SavedFilter,
  }),
  updateSavedFilter: patch('/api/v1/saved-filters/{id}', {
    summary: 'Change a saved filter',
    description:
      'A merge patch. Its creator and administrators change a filter; `entity` stays. Only administrators of the areas of ' +
      'the rules change a filter that rules use: each of the rules follows with the task that a change of the rule starts. ' +
      'With a role for a part of the organization you change your own filters that no rule uses.',
    access,
    inPart: 'same',
    body: patchBody(SavedFilter),
    response: SavedFilter,
  }),
  previewSavedFilter: post('/api/v1/saved-filters/{id}/preview', {
    summary: 'List the records that begin and cease to fit with a change of a saved filter',
    description: 'Send the filter as it will be; the request changes nothing.',
    access,
    inPart: 'seen',
    readOnly: true,
    body: z.strictObject({ filter: FilterInput }),
    response: SavedFilterPreview,
  }),
  deleteSavedFilter: remove('/api/v1/saved-filters/{id}', {
    summary: 'Delete a saved filter',
    description:
      'Its creator and administrators delete a filter. A filter that rules use (`usedBy`) is not deleted: the conflict names the rules.',
    access,
    inPart: 'same',
    response: Deletion,
  }),
});
