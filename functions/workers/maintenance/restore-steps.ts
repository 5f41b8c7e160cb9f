import * as z from 'zod';
import { isSecretRow } from '#shared/credentials/secret-rows.ts';
import { DELETION_TIMER } from '#shared/organizations/deletion.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { copyObject, keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { tableDefinition } from '#shared/platform/table/definition.ts';
import { ABSENT, commit, writeRows } from '#shared/platform/table/io/commit.ts';
import type { Row } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import {
  CopiedObjects,
  type CopyManifest,
  isCopied,
  isInScope,
  objectsPrefix,
  readCopiedRows,
  withDigests,
  withObjects,
} from '#shared/platform/table/upkeep/copies.ts';
import { kindOf, scanPage } from '#shared/platform/table/upkeep/owned.ts';
import { timers } from '#shared/platform/timers/timers.ts';
import { holdSecret, KeptSecrets, noteUses, openSecrets } from './keep-secrets.ts';
import type { RemovalRules } from './remove-all.ts';

export type Restored = {
  work: Work;
  place: { organizationId: string; copyId: string };
  manifest: CopyManifest;
};

/** The progress of writing a copy back. */
export const PutBack = z.object({
  step: z.enum(['rows', 'objects', 'prove', 'open', 'close', 'done']).default('rows'),
  file: z.int().default(0),
  rows: z.int().default(0),
  /** The digests of the written rows, and of the rows in the table. */
  put: z.string().default('0'),
  stand: z.string().default('0'),
  object: z.string().optional(),
  ...CopiedObjects.shape,
  row: z.object({ pk: z.string(), sk: z.string() }).optional(),
  /** Rows by which all find the organization, that another one has meanwhile, by their kind. */
  taken: z.record(z.string(), z.int()).default({}),
  secrets: KeptSecrets.prefault({}),
});
export type PutBack = z.infer<typeof PutBack>;

/** @returns undefined where table or bucket do not hold what the copy does */
type Step = (restored: Restored, at: PutBack) => Promise<PutBack | undefined>;

/** The timer of a deletion belongs to the record of the organization, which no copy contains. */
const isOfDeletion = (row: Row): boolean => kindOf(row) === timers.name && row.kind === DELETION_TIMER;

/** Secrets stay as they are, and are held until the end. */
export const treatForRestore =
  (dynamo: Dynamo, organizationId: string): RemovalRules['treat'] =>
  async (row) => {
    if (!isCopied(organizationId, row) || isOfDeletion(row)) return 'leave';
    await noteUses(openTable(dynamo, organizationId), row);
    if (!isSecretRow(row)) return 'remove';
    if (row.held === true) return 'leave';
    await holdSecret(dynamo, row);
    return 'found';
  };

const isExpired = (row: Row): boolean => Number(row[tableDefinition.timeToLive] ?? Infinity) * 1000 < nowMs();

/** The rows of the organization's own key scope. Other rows begin work, so they come when all of these are there. */
const putRows: Step = async ({ work, place, manifest }, at) => {
  if (at.file === manifest.files) return { ...at, step: 'objects', file: 0 };
  const rows = await readCopiedRows(work.connections.bucket, place, at.file);
  const own = rows.filter((row) => isInScope(place.organizationId, row) && !isSecretRow(row) && !isExpired(row));
  await writeRows(work.connections.dynamo, { put: own });
  return { ...at, put: withDigests(at.put, own), file: at.file + 1, rows: at.rows + own.length };
};

const COPIED_AT_ONCE = 20;

const putObjects: Step = async ({ work, place, manifest }, at) => {
  const { bucket } = work.connections;
  const prefix = objectsPrefix(place);
  const { objectsDigest = '0' } = at;
  const keys = await keysPage(bucket, { prefix, after: at.object });
  if (keys.length === 0)
    return (manifest.objectsDigest ?? objectsDigest) === objectsDigest ? { ...at, step: 'prove' } : undefined;
  const put = await eachAtOnce(keys, COPIED_AT_ONCE, async (from) => {
    const key = from.slice(prefix.length);
    return { key, checksum: await copyObject(bucket, from, key) };
  });
  const objects = at.objects + put.length;
  return { ...at, object: keys.at(-1), objects, objectsDigest: withObjects(objectsDigest, put) };
};

const prove: Step = async ({ work: { connections }, place }, at) => {
  const { rows, next } = await scanPage(connections.dynamo, at.row);
  const own = rows.filter((row) => isInScope(place.organizationId, row) && !isSecretRow(row));
  const stand = withDigests(at.stand, own);
  if (next) return { ...at, stand, row: { pk: next.pk, sk: next.sk } };
  return stand === at.put ? { ...at, stand, row: undefined, step: 'open' } : undefined;
};

/** Timers, sources of webhooks and the like, then the secrets. */
const open: Step = async ({ work, place, manifest }, at) => {
  const { dynamo, bucket } = work.connections;
  if (at.file === manifest.files) return { ...at, step: 'close' };
  const rows = (await readCopiedRows(bucket, place, at.file)).filter((row) => !isExpired(row));
  const taken = { ...at.taken };
  for (const row of rows.filter((one) => !isInScope(place.organizationId, one) && !isOfDeletion(one)))
    if (await isTaken(dynamo, place.organizationId, row)) taken[kindOf(row)] = (taken[kindOf(row)] ?? 0) + 1;
  const own = rows.filter((row) => isInScope(place.organizationId, row));
  const table = openTable(dynamo, place.organizationId, { ...work.table.actor, cause: work.table.cause });
  return { ...at, taken, secrets: await openSecrets(table, own, at.secrets), file: at.file + 1 };
};

/** Writes a row that only one organization can have. @returns whether another organization has it */
async function isTaken(dynamo: Dynamo, organizationId: string, row: Row): Promise<boolean> {
  let isOthers = false;
  const fail = (current: Row | undefined) => {
    isOthers = current !== undefined && !isCopied(organizationId, current);
    return new Overtaken();
  };
  try {
    await commit(dynamo, [{ put: row, condition: { ConditionExpression: ABSENT }, fail }], new Map());
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
  }
  return isOthers;
}

/** Ends the secrets that came after the copy: those that are held still. */
const close: Step = async ({ work: { connections }, place }, at) => {
  const { rows, next } = await scanPage(connections.dynamo, at.row);
  const ended = rows.filter((row) => isInScope(place.organizationId, row) && isSecretRow(row) && row.held === true);
  await writeRows(connections.dynamo, { remove: ended });
  return next ? { ...at, row: { pk: next.pk, sk: next.sk } } : { ...at, row: undefined, step: 'done' };
};

export const steps: Record<Exclude<PutBack['step'], 'done'>, Step> = {
  rows: putRows,
  objects: putObjects,
  prove,
  open,
  close,
};
