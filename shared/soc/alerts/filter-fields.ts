import type { Filtered } from '#shared/platform/filter/fields.ts';

/** The fields are beside the bundles of areas: few requests have a filter. */
export const alertFilter: Filtered = {
  entity: 'alert',
  fields: async () => (await import('./alert-filter-fields.ts')).alertFilterFields,
};
