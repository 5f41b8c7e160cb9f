import * as z from 'zod';
import { Id, live, objectNamed, recordFields, text } from '../http/records.ts';
import { defineEntity } from '../table/entity.ts';
import { FILTERED_ENTITIES } from './filter.ts';
import { FilterInput } from './schema.ts';

/** A rule that has a copy of a saved filter. `functions/platform/filters/users.ts` declares all of them. */
const FilterUser = z.object({
  type: z.enum([
    'suppression_rule',
    'ticket_rule',
    'asset_tag_rule',
    'application_rule',
    'application_exclusion',
    'sla_exception',
    'scan_policy',
    'webhook_endpoint',
    'notification_subscription',
  ]),
  id: Id.nullable().meta({ description: 'null: an exception of the SLA policies, which has only a name' }),
  name: z.string().meta({ description: 'of an exclusion: its reason' }),
});
export type FilterUser = z.infer<typeof FilterUser>;

/** A filter with a name, and how a page shows its records. */
export const SavedFilter = objectNamed('SavedFilter', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'urgent on production' }),
  entity: z.enum(FILTERED_ENTITIES).meta({ description: 'the records that it selects', example: 'finding' }),
  filter: FilterInput.meta({ example: 'severity:critical,high kev:true' }),
  columns: z.array(text(60)).max(40).default([]).meta({ description: 'the fields that a page shows, in order' }),
  sort: text(60).nullable().default(null).meta({ description: '`sort` of the list; null: newest first' }),
  visibility: z
    .enum(['private', 'shared'])
    .default('private')
    .meta({ description: '`private`: only its creator sees and uses it' }),
  usedBy: live(
    z.array(FilterUser).meta({
      description: 'the rules that use it: while there are any, it stays shared and is not deleted',
    }),
  ),
});
export type SavedFilter = z.infer<typeof SavedFilter>;

const { usedBy: _usedBy, ...stored } = SavedFilter.shape;
const StoredSavedFilter = z.object(stored);
export type StoredSavedFilter = z.infer<typeof StoredSavedFilter>;

/** The value of filters that everybody sees. */
export const EVERYBODY = 'all';

export const savedFilters = defineEntity<StoredSavedFilter>(StoredSavedFilter, {
  name: 'saved-filter',
  inPart: 'whole',
  indexed: ({ entity, visibility, createdBy }) => ({
    entity,
    seenBy: visibility === 'shared' ? EVERYBODY : createdBy.id,
  }),
});
