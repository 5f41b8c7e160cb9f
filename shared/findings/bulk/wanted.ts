import * as z from 'zod';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import { collectionOf } from '../view/find.ts';

/** The findings that a change is wanted for. */
export type Wanted = { ids: readonly string[] } | { selection: Selection };

/** The same as a task keeps it: ids would make its row long, which each transaction of the work writes. */
export const StoredWanted = z.union([z.object({ idsIn: z.string() }), z.object({ selection: z.custom<Selection>() })]);
export type StoredWanted = z.infer<typeof StoredWanted>;

type Kept = Context & { taskId: string };

export async function keepWanted({ connections, table, taskId }: Kept, wanted: Wanted): Promise<StoredWanted> {
  if ('selection' in wanted) return wanted;
  const idsIn = `${taskFolder(table.organizationId, taskId)}/ids`;
  await connections.bucket.put(idsIn, JSON.stringify(wanted.ids));
  return { idsIn };
}

/**
 * For `select` of a `Part`. @param entity of the records; default: findings @throws validation_failed for a search that
 * stopped before its last match
 */
export async function selectWanted<T extends Stored, D extends keyof T>(
  { connections, table }: Work,
  wanted: StoredWanted,
  entity?: Entity<T, D>,
): Promise<(string | number)[]> {
  if ('selection' in wanted) {
    const { selection } = wanted;
    return entity
      ? ordinalsOf(table, entity, selection)
      : ordinalsOf(table, await collectionOf(table, selection), selection);
  }
  const bytes = await connections.bucket.get(wanted.idsIn);
  if (!bytes) throw new Error(`${wanted.idsIn} is gone`);
  return JSON.parse(Buffer.from(bytes).toString()) as string[];
}
