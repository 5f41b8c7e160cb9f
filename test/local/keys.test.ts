import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { localCredentials, localRegion } from '#local/credentials.ts';
import type { Engine } from '#local/engine-process.ts';
import { writePrivate } from '#local/private-file.ts';
import { startQueues } from '#local/queues.ts';

describe('the queues of a local system', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startQueues({});
  });
  afterAll(() => engine.stop());

  const list = (credentials: { accessKeyId: string; secretAccessKey: string }) => {
    const client = new SQSClient({ endpoint: engine.endpoint, region: localRegion, credentials, maxAttempts: 1 });
    return client.send(new ListQueuesCommand({})).finally(() => client.destroy());
  };

  test('answer the process that started them', async () => {
    expect((await list(localCredentials)).$metadata.httpStatusCode).toBe(200);
  });

  test.each([
    ['the keys of an earlier release', { accessKeyId: 'local', secretAccessKey: 'local-secret' }],
    ['the key id of a presigned address', { ...localCredentials, secretAccessKey: 'guessed' }],
  ])('refuse another user of the machine who tries %s', async (_, credentials) => {
    await expect(list(credentials)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  test('refuse requests without a signature, on every path', async () => {
    for (const path of ['/', '/000000000000/ingest', '/exposure-reports/a', '/_fauxqs/queues', '/health']) {
      const body = 'Action=ListQueues';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await fetch(`${engine.endpoint}${path}`, { method: 'POST', headers, body })).status).toBe(403);
      expect((await fetch(`${engine.endpoint}${path}`)).status).toBe(403);
    }
  });
});

test('each start has keys of its own, which nobody guesses', async () => {
  vi.resetModules();
  const { localCredentials: other } = await import('#local/credentials.ts');
  expect(other.secretAccessKey).not.toBe(localCredentials.secretAccessKey);
  expect(other.secretAccessKey.length).toBeGreaterThanOrEqual(40);
});

test('a file of credentials is its owner’s alone, also in place of one that all could read', () => {
  const directory = mkdtempSync(join(tmpdir(), 'private-'));
  const file = join(directory, 'ready.json');
  writeFileSync(file, '{}', { mode: 0o644 });
  writePrivate(file, { apiKey: 'secret' });
  expect([statSync(file).mode & 0o777, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([0o600, { apiKey: 'secret' }]);
  rmSync(directory, { recursive: true });
});
