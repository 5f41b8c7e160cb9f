import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { renewKey } from '#functions/workers/keys/index.ts';
import { rotateSigningKey } from '#shared/platform/auth/key-rotation.ts';
import { readKeySet } from '#shared/platform/auth/key-set.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { openSecrets } from '#shared/platform/runtime/secrets.ts';
import { type Store, startStore } from '../../../support/store.ts';

let store: Store;
let connections: Connections;
const directory = mkdtempSync(join(tmpdir(), 'keys-'));
beforeAll(async () => {
  store = await startStore();
  const file = join(directory, 'secrets.json');
  writeFileSync(file, '{}');
  const settings = { SECRETS_FILE: file, SIGNING_SECRET: 'key', TABLE_NAME: store.dynamo.tableName } as Settings;
  connections = { dynamo: store.dynamo, settings, secrets: openSecrets(settings) } as Connections;
});
afterAll(async () => {
  await store.stop();
  rmSync(directory, { recursive: true });
});
afterEach(() => setClock());

const current = async () => (await readKeySet(store.dynamo)).keys.filter(({ until }) => !until).map(({ kid }) => kid);
const DAY_MS = 86_400_000;

test('the key of access tokens is replaced after 90 days and not before, and nothing is made before the first', async () => {
  await renewKey(connections);
  expect(await current()).toEqual([]);
  const first = await rotateSigningKey(connections, { compromised: true });
  const begin = Date.now();
  setClock(() => begin + 90 * DAY_MS - 60_000);
  await renewKey(connections);
  expect(await current()).toEqual([first]);
  setClock(() => begin + 90 * DAY_MS + 60_000);
  await renewKey(connections);
  const [second, ...more] = await current();
  expect([second === first, more]).toEqual([false, []]);
  // the earlier key verifies until its last token has expired
  const old = (await readKeySet(store.dynamo)).keys.find(({ kid }) => kid === first);
  expect(Date.parse(old?.until ?? '')).toBeGreaterThan(begin + 90 * DAY_MS + 3_600_000);
  await renewKey(connections);
  expect(await current()).toEqual([second]);
});
