import * as z from 'zod';
import { changeMany, findingsPart } from '#shared/findings/bulk/change-many.ts';
import { type Part, workParts } from '#shared/findings/bulk/slices.ts';
import { readUndoable, type Undoable } from '#shared/findings/bulk/undo-rows.ts';
import { StoredWanted, selectWanted } from '#shared/findings/bulk/wanted.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import {
  credentialsBulk,
  keysToFollow,
  StoredCredentialBulk,
} from '#shared/vulnerabilities/exposed-credentials/bulk.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { followingDeciding } from '#shared/vulnerabilities/vulnerability/following.ts';
import { decidedResult, restoredResult } from './followed.ts';
import { readUndone } from './undone.ts';

const Following = z.object({ credentialId: z.uuid() });

/** Brings the findings of an exposed credential to the decision that it is none, or back to their own. */
export async function followCredential(work: Work): Promise<Record<string, unknown> | undefined> {
  const { credentialId } = Following.parse(work.task.input);
  const deciding = await followingDeciding(work.table);
  return changeMany(work, { ...deciding, select: () => findingsOf(work.table, credentialId), entity: findings });
}

async function findingsOf(table: Table, id: string): Promise<readonly number[]> {
  const current = await table.find(exposedCredentials, id, true);
  return current ? findingsWith(table, [current.key]) : [];
}

const ASKED_AT_ONCE = 100;

/** The findings of default branches that have one of these secrets, newest first. */
async function findingsWith(table: Table, keys: readonly string[]): Promise<number[]> {
  const found = new Set<number>();
  for (const credential of chunksOf(keys, ASKED_AT_ONCE))
    for (const ordinal of await ordinalsOf(table, findings, { where: { credential } })) found.add(ordinal);
  return [...found].sort((a, b) => b - a);
}

const Updating = StoredCredentialBulk.extend({ wanted: StoredWanted });

/** Makes a decision on all exposed credentials that a request names or that fit its filter, and lets their findings follow. */
export async function updateCredentials(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, task } = work;
  const { wanted, ...bulk } = Updating.parse(task.input);
  const select = () => selectWanted(work, wanted, exposedCredentials);
  const decided = credentialsBulk.part(table, select, { ...bulk, by: task.createdBy ?? systemActor });
  // a preview has no undo log, which names the credentials whose findings follow
  if (work.preview) return void (await workParts(work, [decided]));
  return decidedResult(
    await workParts(work, [decided, await followersPart(table, () => readUndoable(table, task.id))]),
  );
}

/** Restores the decisions on exposed credentials that an earlier task replaced, and the own status of their findings. */
export async function undoCredentialsUpdate(work: Work): Promise<Record<string, unknown> | undefined> {
  const undone = await readUndone(work);
  const restored = credentialsBulk.undoPart(work.table, undone);
  if (work.preview) return void (await workParts(work, [restored]));
  const followers = await followersPart(work.table, async () => [...undone.known.values()]);
  return restoredResult(await workParts(work, [restored, followers]));
}

/** The findings of the credentials of the previous part that the change affects. */
async function followersPart(table: Table, changedOf: () => Promise<readonly Undoable[]>): Promise<Part> {
  const deciding = await followingDeciding(table);
  const select = async () => findingsWith(table, await keysToFollow(table, await changedOf()));
  return findingsPart(table, { ...deciding, select, entity: findings });
}
