import { organizations } from '#shared/credentials/organization.ts';
import { copyObject } from '#shared/platform/runtime/bucket-parts.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import {
  copyNextFile,
  isCopiedObject,
  objectsPrefix,
  RowsRead,
  withObjects,
  writeManifest,
} from '#shared/platform/table/upkeep/copies.ts';
import { objectsAt } from './objects.ts';

type Tell = (line: string) => void;
type Past = { restored: Dynamo; organizationId: string; at: string };

/**
 * Copies one organization at a past moment, from the table that was restored beside the live one and from the versions
 * of objects. Staff restore the organization from the copy while the other organizations continue to work.
 * @returns the id of the copy
 */
export async function copyPast(
  { bucket }: Connections,
  { restored, organizationId, at }: Past,
  tell: Tell,
): Promise<string> {
  const { name } = await openTable(restored, GLOBAL_SCOPE).get(organizations, organizationId, true);
  const place = { organizationId, copyId: newId() };
  let read = RowsRead.parse({});
  do {
    read = await copyNextFile({ dynamo: restored, bucket, place }, read);
    tell(`copied ${read.rows} rows`);
  } while (read.row);
  let [objects, objectsDigest] = [0, '0'];
  for await (const { key, versionId } of objectsAt(bucket, at)) {
    if (!isCopiedObject(organizationId, key)) continue;
    const checksum = await copyObject(bucket, { key, versionId }, `${objectsPrefix(place)}${key}`);
    objectsDigest = withObjects(objectsDigest, [{ key, checksum }]);
    objects += 1;
  }
  tell(`copied ${objects} objects`);
  const { files, rows, digest } = read;
  await writeManifest(bucket, place.copyId, { organizationId, name, at, files, rows, digest, objects, objectsDigest });
  return place.copyId;
}
