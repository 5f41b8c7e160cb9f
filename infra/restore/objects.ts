import { DeleteObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { MOVED_PREFIX } from '#shared/advisories/feeds.ts';
import { COMPLETIONS_PREFIX } from '#shared/apex/completion.ts';
import { EXPORTS_PREFIX } from '#shared/platform/exports/export.ts';
import { TASK_FILES_PREFIX } from '#shared/platform/jobs/task-files.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { copyObject } from '#shared/platform/runtime/bucket-parts.ts';
import { COPIES_PREFIX } from '#shared/platform/table/upkeep/copies.ts';
import { UPLOADS_PREFIX } from '#shared/platform/uploads/parts.ts';
import { BATCHES_PREFIX } from '#shared/soc/siem/batches.ts';
import { EVENTS_PREFIX } from '#shared/soc/siem/segments.ts';

type Tell = (line: string) => void;
type Version = { key: string; id: string; at: number; isMarker: boolean; isLatest: boolean };

/** Replaced versions under these expire within a day (infra/storage.ts). */
const SHORT_LIVED = [
  ...[UPLOADS_PREFIX, COMPLETIONS_PREFIX, EXPORTS_PREFIX, EVENTS_PREFIX, BATCHES_PREFIX, MOVED_PREFIX],
  ...[TASK_FILES_PREFIX, COPIES_PREFIX],
];

/**
 * Restores the objects that were removed or replaced since a moment. Newer objects stay: nothing in the restored table
 * names them. An object whose former version has expired stays as it is.
 */
export async function restoreObjects(bucket: Bucket, at: string, tell: Tell): Promise<void> {
  let count = 0;
  for await (const versions of versionsByKey(bucket))
    if (await restoreObject(bucket, versions, Date.parse(at))) count += 1;
  tell(`brings back ${count} objects`);
}

/** @param versions of one key, newest first */
async function restoreObject(bucket: Bucket, versions: readonly Version[], at: number): Promise<boolean> {
  const [latest] = versions;
  const then = versions.find((version) => version.at <= at);
  if (!latest || !then || then.isMarker || then === latest) return false;
  const s3 = await bucket.client();
  const { key: Key } = then;
  const markers = versions.slice(0, versions.indexOf(then));
  if (markers.every(({ isMarker }) => isMarker))
    for (const { id: VersionId } of markers)
      await s3.send(new DeleteObjectCommand({ Bucket: bucket.name, Key, VersionId }));
  else await copyObject(bucket, { key: Key, versionId: then.id }, Key);
  return true;
}

/** The objects at a moment, where the bucket still has their versions. */
export async function* objectsAt(bucket: Bucket, at: string): AsyncGenerator<{ key: string; versionId: string }> {
  for await (const versions of versionsByKey(bucket)) {
    const then = versions.find((version) => version.at <= Date.parse(at));
    if (then && !then.isMarker) yield { key: then.key, versionId: then.id };
  }
}

async function* versionsByKey(bucket: Bucket): AsyncGenerator<Version[]> {
  let group: Version[] = [];
  for await (const version of allVersions(bucket)) {
    if (group.length > 0 && group[0]?.key !== version.key) {
      yield inOrder(group);
      group = [];
    }
    group.push(version);
  }
  if (group.length > 0) yield inOrder(group);
}

/** Two versions may be of the same second: the latest is the one that S3 marks. */
const inOrder = (group: readonly Version[]): Version[] =>
  group.toSorted((a, b) => Number(b.isLatest) - Number(a.isLatest) || b.at - a.at);

async function* allVersions(bucket: Bucket): AsyncGenerator<Version> {
  const s3 = await bucket.client();
  let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
  for (let more = true; more; ) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket.name, ...from }));
    const versions = (page.Versions ?? []).map((one) => versionOf(one, false));
    const markers = (page.DeleteMarkers ?? []).map((one) => versionOf(one, true));
    // S3 lists versions and markers apart; together they are in the order of their keys
    const all = [...versions, ...markers].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
    yield* all.filter(({ key }) => !SHORT_LIVED.some((prefix) => key.startsWith(prefix)));
    more = page.IsTruncated === true;
    from = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
}

type Listed = { Key?: string; VersionId?: string; LastModified?: Date; IsLatest?: boolean };
const versionOf = (
  { Key = '', VersionId = '', LastModified, IsLatest = false }: Listed,
  isMarker: boolean,
): Version => ({
  key: Key,
  id: VersionId,
  isMarker,
  isLatest: IsLatest,
  at: LastModified?.getTime() ?? 0,
});
