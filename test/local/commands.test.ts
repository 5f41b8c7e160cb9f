import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { localRegion } from '#local/credentials.ts';
import { ensureQueues, queueDeclarations } from '#local/queue-setup.ts';
import { plainEnvironment } from '../support/plain-environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'commands-'));
afterAll(() => rmSync(home, { recursive: true }));
const dataDir = join(home, 'data');
const env = plainEnvironment;

type Ready = { baseUrl: string; organizationId: string; apiKey: string };

/** A system on these data, as `npm start` runs it. */
async function start(directory: string): Promise<Ready & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['local/start.ts', '--port', '0', '--data-dir', directory], { cwd: root, env });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill();
    await ended;
  };
  onTestFinished(stop);
  let said = '';
  for await (const text of child.stdout) {
    said += text;
    if (said.includes('The whole job')) break;
  }
  return { ...JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')), stop };
}

const run = (command: string, ...more: string[]) =>
  promisify(execFile)(process.execPath, [`local/${command}.ts`, ...more], { cwd: root, env });

const get = async ({ baseUrl, apiKey }: Pick<Ready, 'baseUrl' | 'apiKey'>, path: string) =>
  (await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })).json();

/** A dead letter of the exports. */
async function leaveDeadLetter(): Promise<void> {
  const settings = JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'));
  const { SQS_ENDPOINT, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new SQSClient({ endpoint: SQS_ENDPOINT, region: localRegion, credentials });
  const [queue] = await ensureQueues(
    client,
    queueDeclarations().filter(({ name }) => name === 'exports'),
  );
  const MessageBody = JSON.stringify({ organizationId: '019a0000-0000-7000-8000-000000000000', taskId: 'gone' });
  const ordered = { MessageGroupId: 'any', MessageDeduplicationId: 'any' };
  await client.send(new SendMessageCommand({ QueueUrl: queue?.deadLetterUrl, MessageBody, ...ordered }));
  client.destroy();
}

test('an operator on a machine of his own makes an organization, redrives, and goes on with a copy of the data', async () => {
  const first = await start(dataDir);
  const begin = await fetch(`${first.baseUrl}/`, { redirect: 'manual' });
  expect([begin.status, begin.headers.get('location')]).toEqual([302, '/docs']);

  const { stdout } = await run('organization', '--name', 'Second', '--data-dir', dataDir);
  const second: Ready = JSON.parse(stdout);
  expect(second.organizationId).not.toBe(first.organizationId);
  expect(await get(second, '/api/v1/findings')).toMatchObject({ totalCount: 0 });

  const { stdout: answer } = await run('invoke', 'status', 'events/status.json', '--data-dir', dataDir);
  expect(JSON.parse(answer)).toMatchObject({ statusCode: 200 });

  await leaveDeadLetter();
  expect((await run('redrive-queues', 'exports', '--data-dir', dataDir)).stdout).toBe('exports  1\n');
  expect((await run('redrive-queues', '--data-dir', dataDir)).stdout).toContain('exports  0\n');

  const copy = join(home, 'copy');
  const backup = () => run('backup', '--to', copy, '--data-dir', dataDir);
  await expect(backup()).rejects.toMatchObject({ stderr: expect.stringContaining('in use by a running system') });
  expect(existsSync(copy)).toBe(false);
  await first.stop();
  await backup();
  await expect(backup()).rejects.toMatchObject({ stderr: expect.stringContaining('exists already') });
  const again = await start(copy);
  expect(await get({ ...second, baseUrl: again.baseUrl }, '/api/v1/findings')).toMatchObject({ totalCount: 0 });
});

test.each([
  ['organization', [], 64, 'usage: npm run organization'],
  ['apex', ['--link-token', 'x'], 64, 'usage: npm run apex -- --url URL'],
  ['organization', ['--name', 'A', '--role', 'king'], 64, 'roles of its first account: '],
  ['organization', ['--name', 'A', '--data-dir', join(home, 'none')], 1, 'No system runs with the data in'],
  ['redrive-queues', ['nonsense'], 64, 'no such job: nonsense; there are '],
  ['backup', [], 64, 'usage: npm run backup'],
  ['backup', ['--to', home, '--data-dir', join(home, 'none')], 1, 'has no data'],
])('%s %j that cannot work says why and what to give', async (command, args, code, says) => {
  await expect(run(command, ...args)).rejects.toMatchObject({ code, stderr: expect.stringContaining(says) });
});
