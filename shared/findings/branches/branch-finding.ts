import { defineEntityBeside } from '#shared/platform/table/entity.ts';
import { findings } from '../finding/finding.ts';

/**
 * Findings that only a branch other than the default one has. They have their own collection, so that lists, dashboards
 * and SLA clocks count only default branches and cost no more for them. A finding that is merged moves to the other
 * collection and keeps its id.
 */
export const branchFindings = defineEntityBeside(findings, 'branch-finding');
