import { defineEntityBeside } from '#shared/platform/table/entity.ts';
import { findings } from '../finding/finding.ts';

/**
 * Findings that only a branch beside the default one has. They lie apart, so that lists, dashboards and SLA clocks count
 * default branches alone and cost no more for it. A finding that is merged moves over and keeps its id.
 */
export const branchFindings = defineEntityBeside(findings, 'branch-finding');
