import { type Answer, xmlAnswer } from './answer.ts';
import { abortUpload, completeUpload, createUpload, listParts, uploadPart } from './multipart.ts';
import { copyObject, deleteObject, deleteObjects, getObject, listObjects, putObject, type Store } from './objects.ts';
import { noSuchBucket, S3Error } from './s3-error.ts';
import type { S3Request } from './s3-request.ts';

type Operation = (store: Store, request: S3Request) => Answer | Promise<Answer>;

/** The operations by method and query parameter, special ones first; '' fits any query. */
const objectOperations: Record<string, [parameter: string, operation: Operation][]> = {
  GET: [
    ['uploadId', listParts],
    ['', getObject],
  ],
  HEAD: [['', getObject]],
  PUT: [
    ['uploadId', uploadPart],
    ['', putObject],
  ],
  POST: [
    ['uploads', createUpload],
    ['uploadId', completeUpload],
  ],
  DELETE: [
    ['uploadId', abortUpload],
    ['', deleteObject],
  ],
};

const bucketOperations: Record<string, [parameter: string, operation: Operation][]> = {
  GET: [['list-type', listObjects]],
  HEAD: [['', () => ({ status: 200 })]],
  PUT: [['', createBucket]],
  POST: [['delete', deleteObjects]],
};

/** Headers of variants that are not served and must not pass for the plain operation. */
const refusedHeaders = ['x-amz-server-side-encryption-customer-key'];

export async function route(store: Store, request: S3Request): Promise<Answer> {
  const operations = request.key === '' ? bucketOperations : objectOperations;
  const match = operations[request.method]?.find(([parameter]) => parameter === '' || request.query.has(parameter));
  const isCopy = 'x-amz-copy-source' in request.message.headers;
  if (
    match === undefined ||
    (isCopy && match[1] !== putObject) ||
    refusedHeaders.some((name) => name in request.message.headers)
  ) {
    throw new S3Error(501, 'NotImplemented', 'The local object store does not serve this operation.');
  }
  const [, operation] = match;
  if (operation !== createBucket && !store.index.hasBucket(request.bucket)) throw noSuchBucket();
  return isCopy ? copyObject(store, request) : operation(store, request);
}

function createBucket(store: Store, request: S3Request): Answer {
  if (store.index.hasBucket(request.bucket)) {
    throw new S3Error(409, 'BucketAlreadyOwnedByYou', 'Your previous request to create the bucket succeeded.');
  }
  store.index.addBucket(request.bucket);
  return { ...xmlAnswer('CreateBucketResult', {}), headers: { location: `/${request.bucket}` } };
}
