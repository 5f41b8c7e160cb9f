import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { settingOutputs } from '#infra/outputs.ts';
import { readStackSettings } from '#infra/stack-settings.ts';
import { opens, readCredential } from '#shared/platform/auth/credential.ts';
import { readKeySet } from '#shared/platform/auth/key-set.ts';
import { parseClientId, parseClientSecret } from '#shared/platform/auth/token-format.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { startCloudFormation } from '../support/cloudformation.ts';
import { plainEnvironment } from '../support/plain-environment.ts';
import { type Store, startStore } from '../support/store.ts';

const run = promisify(execFile);
let store: Store;
let directory: string;
let environment: NodeJS.ProcessEnv;
let cloudFormation: { url: string; stop(): void };

/** A running stack whose outputs point to the engine of this test. */
beforeAll(async () => {
  store = await startStore();
  directory = mkdtempSync(join(tmpdir(), 'operator-'));
  const outputs = Object.fromEntries(Object.keys(settingOutputs).map((name) => [name, `https://${name}.test/`]));
  cloudFormation = await startCloudFormation({
    'eu-west-1/stack': {
      outputs: {
        ...outputs,
        TableName: store.dynamo.tableName,
        SigningSecretName: 'key',
        QueueUrlPrefix: 'http://127.0.0.1:9/',
      },
    },
  });
  writeFileSync(join(directory, 'secrets.json'), '{}');
  const endpoint = await store.dynamo.client.config.endpoint?.();
  environment = {
    ...plainEnvironment,
    DYNAMODB_ENDPOINT: `http://${endpoint?.hostname}:${endpoint?.port}`,
    SECRETS_FILE: join(directory, 'secrets.json'),
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_REGION: 'us-east-1',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
});
afterAll(async () => {
  cloudFormation.stop();
  await store.stop();
  rmSync(directory, { recursive: true, force: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const command = (script: string, ...args: string[]) =>
  run(process.execPath, [`infra/${script}`, '--region', 'eu-west-1', ...args], { env: environment });
const kids = async () => (await readKeySet(store.dynamo)).keys.map(({ kid }) => kid);

test('the bootstrap command makes a working owner once, and a further one only with a name', async () => {
  const { stdout } = await command('bootstrap.ts', '--stack', 'stack');
  const read = (name: string) => new RegExp(`${name} +(\\S+)`).exec(stdout)?.[1] ?? '';
  const where = parseClientId(read('client_id')) ?? expect.fail('no client id');
  const credential = (await readCredential(store.dynamo, where)) ?? expect.fail('no credential');
  expect(credential).toMatchObject({ kind: 'service_account', role: 'owner' });
  expect(opens(credential, parseClientSecret(read('client_secret')) ?? '')).toBe(true);
  expect(where.organizationId).toBe(read('organization'));
  const keys = await kids();
  await expect(command('bootstrap.ts', '--stack', 'stack')).rejects.toThrow(/--name/);
  const staff = await command('bootstrap.ts', '--stack', 'stack', '--name', 'Provider', '--role', 'platform_owner');
  expect(staff.stdout).toMatch(/role +platform_owner/);
  expect(await kids()).toEqual(keys);
});

test('the rotation command adds a new key to the old one; after a leak only the new key stays', async () => {
  const [old] = await kids();
  const { stdout } = await command('rotate-signing-key.ts', '--stack', 'stack', '--compromised');
  const [fresh, ...more] = await kids();
  expect([fresh === old, more]).toEqual([false, []]);
  expect(stdout).toContain(fresh);
  await expect(command('rotate-signing-key.ts', '--stack', 'stack')).rejects.toThrow(/less than a minute ago/);
});

test('the maintenance command queues one task for each organization, also while the queues cannot be reached', async () => {
  const { stdout } = await command('maintain.ts', '--stack', 'stack', 'verify', '--repair');
  const told = [...stdout.matchAll(/^(\S{36}) {2}task (\S{36}) {2}(.+)$/gm)];
  expect(told.map(([, , , name]) => name).sort()).toEqual(['First organization', 'Provider']);
  for (const [, organizationId = '', id = ''] of told) {
    const task = await openTable(store.dynamo, organizationId).rows(taskRows).find({ id }, true);
    expect(task).toMatchObject({ operation: 'maintenance_verify', status: 'queued', input: { repair: true } });
  }
  await expect(command('maintain.ts', '--stack', 'stack', 'nonsense')).rejects.toThrow(/usage: npm run maintain/);
});

test('a command without a stack names the missing option', async () => {
  await expect(command('bootstrap.ts')).rejects.toThrow(/--stack/);
  await expect(command('bootstrap.ts', '--stack', 'other')).rejects.toThrow(/There is no stack other/);
});

test("a command works in its stack's region, even on a machine with another default region", async () => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  await expect(readStackSettings({ stack: 'stack' })).rejects.toThrow(/--region/);
  const settings = await readStackSettings({ stack: 'stack', region: 'eu-west-1' });
  expect(settings).toMatchObject({ TABLE_NAME: store.dynamo.tableName, BASE_URL: 'https://BaseUrl.test/' });
  expect(process.env.AWS_REGION).toBe('eu-west-1');
});
