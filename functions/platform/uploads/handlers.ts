import type { Handlers } from '#shared/platform/http/route.ts';
import { beginParts } from '#shared/platform/runtime/bucket-parts.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { missingParts, PART_BYTES, partsOf } from '#shared/platform/uploads/parts.ts';
import { addUpload, ownUpload, type Upload as StoredUpload, uploadKey } from '#shared/platform/uploads/upload.ts';
import type { Upload, UploadCreate, uploadRoutes } from './routes.ts';
import { signParts, URL_SECONDS } from './sign.ts';

const DAY_SECONDS = 86_400;

async function createUpload({ connections, table, body }: Context & { body: UploadCreate }): Promise<Upload> {
  const id = newId();
  const key = uploadKey(table.organizationId, id);
  const createdAt = now();
  const upload: StoredUpload = {
    id,
    owner: table.actor.id,
    size: body.sizeBytes,
    checksum: Buffer.from(body.sha256, 'hex').toString('base64'),
    key,
    name: body.name,
    multipartId: body.sizeBytes > PART_BYTES ? await beginParts(connections.bucket, key) : undefined,
    createdAt,
    expiresAt: new Date(Date.parse(createdAt) + DAY_SECONDS * 1000).toISOString(),
  };
  await addUpload(table, upload);
  return answer(connections, upload, 'open');
}

async function getUpload({ connections, table, params }: Context & { params: { id: string } }): Promise<Upload> {
  const upload = await ownUpload(table, params.id);
  if (upload.usedBy !== undefined) return answer(connections, upload, 'used');
  const missing = await missingParts(connections.bucket, upload);
  return answer(connections, upload, missing.length === 0 ? 'uploaded' : 'open', missing);
}

async function answer(
  { bucket }: Connections,
  upload: StoredUpload,
  state: Upload['state'],
  missing = partsOf(upload.size),
): Promise<Upload> {
  const { id, name = null, size, checksum, createdAt, expiresAt } = upload;
  const urlsEnd = inSeconds(URL_SECONDS);
  return {
    uploadId: id,
    name,
    sizeBytes: size,
    sha256: Buffer.from(checksum, 'base64').toString('hex'),
    state,
    createdAt,
    expiresAt,
    partSizeBytes: PART_BYTES,
    parts: state === 'open' ? await signParts(bucket, upload, missing) : [],
    urlsExpireAt: state === 'open' ? urlsEnd : null,
  };
}

export const uploadHandlers: Handlers<typeof uploadRoutes> = {
  createUpload,
  getUpload,
  createScannerUpload: createUpload,
  getScannerUpload: getUpload,
  createApexUpload: createUpload,
  getApexUpload: getUpload,
};
