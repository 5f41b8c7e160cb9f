import { assetKey, assets } from '#shared/assets/asset/asset.ts';
import { imageName } from '#shared/assets/targets/image.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import { outOfBounds } from '#shared/findings/branches/bound.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { waitForTask } from '#shared/platform/jobs/wait.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The names under which reports on one asset have all their findings: no other target is one asset. */
const SPELLED = { repository: repositoryName, container_image: imageName } as const;

/**
 * An import of somebody whose role is for a part of the organization: about one repository or image of the part, and about nothing else
 * that the report names. So the import creates and closes only findings that its sender sees.
 * @throws insufficient_scope, not_found
 */
export async function ofPart(table: Table, submission: Submission): Promise<Submission> {
  const { target, zone = null, engagementId } = submission;
  if (!table.part) return submission;
  if (engagementId !== undefined)
    throw outOfBounds(
      'Your role is for a part of the organization, and engagements are not open to it: leave engagementId out.',
    );
  if (target?.type !== 'repository' && target?.type !== 'container_image')
    throw outOfBounds(
      'Your role is for a part of the organization: send a repository or an image of the part as target.',
    );
  await assertOfPart(table, { ...target, type: target.type, zone });
  return { ...submission, targetOnly: true };
}

type Target = { type: keyof typeof SPELLED; value: string; zone: string | null };

async function assertOfPart(table: Table, { type, value, zone }: Target): Promise<void> {
  const identity = assetKey({ type, value: SPELLED[type](value), zone });
  if (!(await table.findUnique(assets, { field: 'identity', value: identity }, true))) throw notFound('asset', value);
}

/**
 * An import that a caller may confirm or undo: with a part an own one, whose target is still in the part.
 * @throws not_found
 */
export async function assertMayChange(table: Table, taskId: string): Promise<void> {
  if (!table.part) return;
  const own = await waitForTask(table, taskId, 0);
  const imported = own && (await table.findUnique(importedReports, { field: 'task', value: taskId }));
  if (!imported) throw notFound('import', taskId);
  const { target, zone } = imported;
  if (target?.type === 'repository' || target?.type === 'container_image')
    await assertOfPart(table, { type: target.type, value: target.value, zone });
}
