import { followUp } from '#shared/platform/feed/audit.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';
import { longId } from '#shared/platform/runtime/ids.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { INBOX_SHARDS, inboxPartition, organizationIn } from '#shared/platform/table/changes.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { openTable } from '#shared/platform/table/table.ts';

/** A run ends before the next begins; the next run numbers the rest. */
const RUN_MS = 45_000;
const AT_ONCE = 8;

/** Every minute: numbers what all organizations have changed. */
export const handler = (): Promise<void> => numberAll(openConnections());

export async function numberAll(connections: Connections): Promise<void> {
  const end = elapsedMs() + RUN_MS;
  const shards = Array.from({ length: INBOX_SHARDS }, (_, shard) => shard);
  await eachAtOnce(shards, AT_ONCE, (shard) => numberShard(connections, shard, end));
}

/** Goes from organization to organization: the first row behind one belongs to the next. */
async function numberShard({ dynamo }: Connections, shard: number, end: number): Promise<void> {
  for (let from = ' '; elapsedMs() < end; ) {
    const [row] = await queryRows(dynamo, { ...inboxPartition(shard), from, to: '~', limit: 1 });
    if (!row) return;
    const organization = organizationIn(row);
    await numberOrganization({ dynamo }, longId(organization), end);
    from = `${organization}~`;
  }
}

/** Changes of one organization that cannot be numbered do not stop the other organizations. */
async function numberOrganization({ dynamo }: Pick<Connections, 'dynamo'>, organizationId: string, end: number) {
  try {
    while ((await followUp(openTable(dynamo, organizationId))) && elapsedMs() < end);
  } catch (error) {
    log.error('changes not numbered', { organizationId, error: error as Error });
  }
}
