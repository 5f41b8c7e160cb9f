import type { Filtered } from '#shared/platform/filter/fields.ts';

/** The fields are beside the bundles of areas, which load them with their first filter. */
export const assetFilter: Filtered = {
  entity: 'asset',
  fields: async () => (await import('./asset-filter-fields.ts')).assetFilterFields,
};

/** The fields of conditions of rules about assets. */
export const conditionFields: Filtered['fields'] = async () => (await import('./asset-filter-fields.ts')).ruledFields;
