import { Id } from '../http/records.ts';
import type { RuleFilter } from './rule.ts';
import { FilterInput } from './schema.ts';

/** The field of a rule that takes a filter beside its conditions. */
export const RuleFilterField = FilterInput.nullish().meta({
  description: 'a filter as text or JSON, beside the conditions (docs/filters.md); `me` is nobody here',
  example: null,
});

/** The field of a rule that names a saved filter. */
export const FilterIdField = Id.nullish().meta({
  description: 'a shared saved filter, of which `filter` is a copy: the rule follows its changes',
  example: null,
});

/** The same of a rule about assets. */
export const ConditionIdField = FilterIdField.meta({
  description: 'a shared saved filter of assets, of which `condition` is a copy: the rule follows its changes',
});

/** The values by which the index finds the rules that use a saved filter. */
export const markedFilter = ({ filterId }: { filterId?: string | null | undefined }) => ({
  filter: filterId ?? undefined,
});

/** The filters that were given to a rule; a rule of an earlier release has none. */
export const givenFilters = ({ filter }: { filter?: RuleFilter | null | undefined }): RuleFilter[] =>
  filter == null ? [] : [filter];
