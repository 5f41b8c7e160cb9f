import type { AssetIdentity } from '#shared/assets/asset/asset.ts';
import {
  type KeptRow,
  keptDocuments,
  type StatedRow,
  statedDocuments,
} from '#shared/findings/suppression/stated-document.ts';
import { unzipped, zipped } from '#shared/platform/runtime/gzip.ts';
import { derivedId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { StatedDocument, Statement } from '#shared/reports/report/report.ts';
import { inOneSpelling } from '../asset-for.ts';
import type { Read } from '../phases.ts';
import { withZones } from '../placing.ts';

/** Documents of an organization with which new findings are compared; one above that decides only when it is sent. */
const MAX_KEPT = 500;

/** Gzipped statements of a document that is kept. */
const MAX_KEPT_BYTES = 50_000;

/** The statements of a report that was read to its end, beside its chunks of findings if it has several. */
export async function storeStatements(
  { connections, files }: Pick<Read, 'connections' | 'files'>,
  statements: readonly Statement[],
  isLarge: boolean,
): Promise<void> {
  if (isLarge && statements.length > 0)
    await connections.bucket.put(files.stated, await zipped(JSON.stringify(statements), 1));
}

export async function loadStatements({ connections, files, statements }: Read): Promise<readonly Statement[]> {
  if (statements) return statements;
  const bytes = await connections.bucket.get(files.stated);
  return bytes ? JSON.parse(await unzipped(bytes)) : [];
}

/** The documents with which later findings are compared, the newest first. */
export const readDocuments = async (table: Table): Promise<KeptRow[]> =>
  (await table.rows(keptDocuments).query('all')).toSorted((a, b) => ((a.at ?? '') > (b.at ?? '') ? -1 : 1));

export const statementsOf = async ({ statements }: KeptRow): Promise<Statement[]> =>
  JSON.parse(await unzipped(statements));

/** The asset that the sender names as the target. */
async function targetOf(read: Read): Promise<AssetIdentity | undefined> {
  const { target, zone = null } = read.submission;
  if (!target || target.type === 'cidr') return undefined;
  const [identity] = await withZones(read, [{ ...inOneSpelling({ type: target.type, value: target.value }), zone }]);
  return identity;
}

/**
 * Stores a document in place of its former version. Its reports are worked one after the other, because the scan scope is
 * part of the document's identity.
 * @returns undefined where a later version is stored already
 */
export async function storeDocument(
  read: Read,
  document: StatedDocument,
  statements: readonly Statement[],
): Promise<(StatedRow & { isKept: boolean }) | undefined> {
  const { table, taskId, scope } = read;
  const { author, isTool, at, version } = document;
  const id = derivedId(table.organizationId, 'stated-document', scope, author, document.id);
  const current = await table.rows(statedDocuments).find({ id }, true);
  if (current && current.taskId !== taskId && isOlder(document, current)) return undefined;
  const row = { id, author, isTool, at, version, taskId, target: await targetOf(read) };
  const isKept = await keepForLater(table, row, statements);
  await table.rows(statedDocuments).put(row);
  return { ...row, isKept };
}

/** Keeps the statements for later findings, unless they are too many. @returns whether they are kept */
async function keepForLater(table: Table, row: StatedRow, statements: readonly Statement[]): Promise<boolean> {
  const rows = table.rows(keptDocuments);
  const packed = await zipped(JSON.stringify(statements));
  const others = (await rows.query('all', { consistent: true })).filter(({ id }) => id !== row.id);
  const isKept = packed.length <= MAX_KEPT_BYTES && others.length < MAX_KEPT;
  if (isKept) await rows.put({ ...row, statements: packed });
  else await rows.remove({ id: row.id });
  return isKept;
}

function isOlder({ at, version }: StatedDocument, current: StatedRow): boolean {
  if (at && current.at && at !== current.at) return at < current.at;
  return Number(version) < Number(current.version);
}
