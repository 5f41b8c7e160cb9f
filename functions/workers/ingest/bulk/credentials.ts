import * as z from 'zod';
import { exposedCredentials } from '#shared/entities/exposed-credential.ts';
import { findings } from '#shared/entities/finding.ts';
import { changeMany } from '#shared/findings/many/change-many.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { ordinalsOf } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { followingDeciding } from '#shared/vulnerabilities/following.ts';

const Following = z.object({ credentialId: z.uuid() });

/** Brings the findings of an exposed credential to the decision that it is none, or back to their own. */
export async function followCredential(work: Work): Promise<Record<string, unknown> | undefined> {
  const { credentialId } = Following.parse(work.task.input);
  const deciding = await followingDeciding(work.table);
  return changeMany(work, { ...deciding, select: () => findingsOf(work.table, credentialId), entity: findings });
}

async function findingsOf(table: Table, id: string): Promise<readonly number[]> {
  const standing = await table.find(exposedCredentials, id, true);
  return standing ? ordinalsOf(table, findings, { where: { credential: standing.key } }) : [];
}
