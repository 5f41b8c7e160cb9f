import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBucket } from '#local/bucket-setup.ts';
import { localKeys, localRegion } from '#local/credentials.ts';
import type { Engine } from '#local/engine-process.ts';
import { startObjectStore } from '#local/object-store/server.ts';
import { openBucket } from '#shared/platform/runtime/bucket.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';

let engine: Engine;
beforeAll(async () => {
  Object.assign(process.env, { AWS_REGION: localRegion }, localKeys);
  engine = await startObjectStore({});
});
afterAll(() => engine.stop());

async function newBucket() {
  const bucket = openBucket({ BUCKET_NAME: 'reports', S3_ENDPOINT: engine.endpoint } as Settings);
  const s3 = await bucket.client();
  await ensureBucket(s3, 'reports');
  return { bucket, s3 };
}

test('objects are removed together in one request for each thousand, also those that do not exist', async () => {
  const { bucket, s3 } = await newBucket();
  const keys = ['tasks/a/report', 'tasks/a/ü & <b>', 'tasks/b'];
  for (const key of keys) await bucket.put(key, 'text');
  let requests = 0;
  s3.middlewareStack.add((next) => (args) => {
    requests++;
    return next(args);
  });
  const absent = Array.from({ length: 1_000 }, (_, n) => `absent-${n}`);
  await bucket.remove([...keys.slice(0, 2), ...absent]);
  expect(requests).toBe(2);
  await bucket.remove([]);
  expect(requests).toBe(2);
  const left = await Promise.all(keys.map((key) => bucket.size(key)));
  expect(left).toEqual([undefined, undefined, 4]);
});

test('an object that stays fails the removal', async () => {
  const { bucket, s3 } = await newBucket();
  const Errors = [{ Key: 'tasks/a', Code: 'InternalError', Message: 'We encountered an internal error.' }];
  s3.middlewareStack.add(() => async () => ({ response: undefined, output: { $metadata: {}, Errors } }), {
    step: 'initialize',
  });
  await expect(bucket.remove(['tasks/a', 'tasks/b'])).rejects.toThrow(/1 of 2 objects were not removed: tasks\/a/);
});
