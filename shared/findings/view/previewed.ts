import type { Entity } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { markTemporarily } from '#shared/platform/table/temporary-mark.ts';

/** For so long `preview:<id>` lists the records that a preview found to change. */
const PREVIEW_SECONDS = 86_400;

/** The value that the index has of these records, by the id of the task. */
export const PREVIEW = 'preview';

type Found = { id: string; ordinals: readonly number[] };

export const markPreviewed = (table: Table, entity: Pick<Entity, 'name' | 'shards'>, { id, ordinals }: Found) =>
  markTemporarily(table, entity, { name: PREVIEW, value: id, ordinals, seconds: PREVIEW_SECONDS });
