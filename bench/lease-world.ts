import { openBucket } from '#shared/platform/runtime/bucket.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { readSettings } from '#shared/platform/runtime/env.ts';
import { openSecrets } from '#shared/platform/runtime/secrets.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Engagement } from '#shared/scanning/engagements/engagement.ts';
import { type Scanner, scanners } from '#shared/scanning/scanners/scanner.ts';
import { createEngagementTask } from '#test/support/engagement-worker.ts';
import { scannerDraft } from '#test/support/scanning.ts';

/** Connections with a table only: tasks end here without reports, and messages are dropped. */
export function portsOf(dynamo: Dynamo): Connections {
  const settings = readSettings({
    TABLE_NAME: dynamo.tableName,
    BUCKET_NAME: 'unused',
    QUEUE_URL_PREFIX: 'unused',
    TOKEN_ISSUER: 'urn:exposure:bench',
    SIGNING_SECRET: 'unused',
    SEALING_SECRET: 'unused',
    BILLING_SECRET: 'unused',
    CHALLENGE_SECRET: 'unused',
    BASE_URL: 'https://exposure.example.com',
  });
  const queues = { send: async () => undefined, countInFlight: async () => 0, returnIn: async () => undefined };
  return { settings, dynamo, queues, bucket: openBucket(settings), secrets: openSecrets(settings) };
}

/** Creates scanners in the state after linking. @returns their ids */
export async function linkScanners(table: Table, count: number, more: Partial<Scanner> = {}): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const drafts = Array.from({ length: Math.min(50, count - ids.length) }, (_, n) =>
      scannerDraft({ name: `scanner-${ids.length + n}`, supportedTaskTypes: ['web'], ...more }),
    );
    ids.push(...(await Promise.all(drafts.map(async (draft) => (await table.create(scanners, draft)).id))));
  }
  return ids;
}

/** The most addresses of one engagement (shared/scanning/scanner-tasks/plan.ts). */
const LARGEST = 65_536;

/** Ranges with this many addresses in all, the largest first, so that each is aligned to its size. */
export function rangesOf(addresses: number): string[] {
  const ranges: string[] = [];
  for (let from = 0; from < addresses; ) {
    const bits = Math.floor(Math.log2(Math.min(LARGEST, addresses - from)));
    ranges.push(`10.${from >> 16}.${(from >> 8) & 255}.${from & 255}/${32 - bits}`);
    from += 2 ** bits;
  }
  return ranges;
}

/** One engagement whose worker has made a task for each address of the range. */
export const engage = ({ connections, table }: Context, cidr: string, more: object = {}): Promise<Engagement> =>
  createEngagementTask({ table, connections }, { targets: [cidr], taskTypes: ['web'], more });
