import * as z from 'zod';
import { assets } from '#shared/assets/asset/asset.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { viewsGroup } from '#shared/platform/views/wake.ts';
import { vulnerabilitiesOn } from '#shared/vulnerabilities/vulnerability/tagged.ts';
import { renewInSlices } from './renew-in-slices.ts';

const Input = z.object({ assetIds: z.array(z.uuid()) });

/** Brings the vulnerabilities of assets to the tags and owners of these. */
export async function retagVulnerabilities(work: Work): Promise<Record<string, unknown> | undefined> {
  const { assetIds } = Input.parse(work.task.input);
  return renewInSlices(work, { select: () => vulnerabilitiesOn(work.table, assetIds) });
}

/**
 * Queues a task for assets of which tags or the owner changed and which have vulnerabilities. The task waits behind the reader that
 * reports these assets in the same group, so that no vulnerability gets former tags after the task has looked.
 */
export function assetTagFollower({ connections, table }: Context) {
  return async (announced: readonly Announced[]): Promise<void> => {
    const changed = announced.flatMap(({ change }) => (change && concernsThem(change) ? change.id : []));
    const assetIds = [...new Set(changed)];
    if (assetIds.length === 0 || (await vulnerabilitiesOn(table, assetIds)).length === 0) return;
    await queueTask(
      { connections, table: openTable(connections.dynamo, table.organizationId, systemActor) },
      {
        operation: 'retag_vulnerabilities',
        job: 'views',
        unit: 'vulnerabilities',
        input: { assetIds },
        send: { group: viewsGroup(table) },
      },
    );
  };
}

const concernsThem = ({ entity, kind, fields, masked }: RecordChange): boolean =>
  entity === assets.name &&
  kind === 'updated' &&
  [...Object.keys(fields), ...masked].some((name) => ['tags', 'ruleTags', 'ownerId'].includes(name));
