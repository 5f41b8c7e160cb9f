import type { Filtered } from '#shared/platform/filter/fields.ts';

/** The fields are beside the bundles of areas: few requests have a filter. */
export const incidentFilter: Filtered = {
  entity: 'incident',
  fields: async () => (await import('./incident-filter-fields.ts')).incidentFilterFields,
};
