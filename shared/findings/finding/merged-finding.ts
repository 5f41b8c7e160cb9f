import { defineEntityAside } from '#shared/platform/table/entity.ts';
import { findings } from './finding.ts';

/** Findings that were merged into another, unchanged. Undoing the merge of their assets brings them back. */
export const mergedFindings = defineEntityAside(findings, 'merged-finding');
