import { defineEntityBeside } from '#shared/platform/table/entity.ts';
import { findings } from './finding.ts';

/**
 * Findings of retired assets. They lie apart, so that lists, dashboards and SLA clocks do not count what is no longer there. Each
 * keeps its id, and comes back with its asset.
 */
export const retiredFindings = defineEntityBeside(findings, 'retired-finding');
