import { statedDocuments } from '#shared/findings/suppression/stated-document.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { importFiles } from '../import-files.ts';
import { STATED_COLLECTIONS } from './select.ts';

/** The VEX document that an import brought; undefined where a later version has replaced it. */
export async function documentOf({ table, connections }: Context, taskId: string): Promise<string | undefined> {
  const { statedBy } = importFiles(table.organizationId, taskId);
  const id = await readJson<string>(connections.bucket, statedBy);
  const row = id === undefined ? undefined : await table.rows(statedDocuments).find({ id }, true);
  return row?.taskId === taskId ? row.id : undefined;
}

/** The findings that have their status by a document. */
export async function settledBy(table: Table, documentId: string | undefined): Promise<number[]> {
  if (documentId === undefined) return [];
  const where = { suppressedBy: documentId };
  return (await Promise.all(STATED_COLLECTIONS.map((entity) => ordinalsOf(table, entity, { where })))).flat();
}
