import { collections } from '#shared/organizations/filtered.ts';
import type { FilteredEntity } from '#shared/platform/filter/filter.ts';
import { ABOUT_FINDINGS } from './filtered-findings.ts';
import { OTHERS } from './filtered-others.ts';
import type { Records } from './random-records.ts';

/** Random records of each entity that filters select in the index. */
export const INDEXED: Record<Exclude<FilteredEntity, 'task' | 'audit' | 'delivery'>, Records> = {
  ...ABOUT_FINDINGS,
  ...OTHERS,
};

export const fieldsOf = (entity: FilteredEntity) => collections[entity].fields();
