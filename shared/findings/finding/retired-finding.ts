import { defineEntityBeside } from '#shared/platform/table/entity.ts';
import { findings } from './finding.ts';

/**
 * Findings of retired assets. They have their own collection, so that lists, dashboards and SLA clocks do not count
 * them. Each keeps its id, and returns with its asset.
 */
export const retiredFindings = defineEntityBeside(findings, 'retired-finding');
