import type { Filtered } from '#shared/platform/filter/fields.ts';

/** The fields are beside the bundles of areas, which load them with their first filter. */
export const findingFilter: Filtered = {
  entity: 'finding',
  fields: async () => (await import('./finding-filter-fields.ts')).findingFilterFields,
};
