import { findings } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Engagement } from '#shared/scanning/engagements/engagement.ts';

/** Counts the findings of an engagement from the counters of their list: one read for any number of findings. */
export async function countFindings(table: Table, engagementId: string): Promise<NonNullable<Engagement['findings']>> {
  const [critical = 0, high = 0, medium = 0, low = 0, info = 0, found = 0, fixed = 0] = await table.counts(findings, {
    parent: { engagement: engagementId },
    filters: [...SEVERITIES.map((severity) => ({ severity })), {}, { status: 'fixed' }],
  });
  return { critical, high, medium, low, info, new: found, fixed };
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
