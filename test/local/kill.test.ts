import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { MAX_DEATHS } from '#shared/platform/jobs/attempts.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { makeClient } from '../support/client.ts';
import { plainEnvironment } from '../support/plain-environment.ts';
import { finished } from '../support/wait.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let dataDir = '';
let running: ChildProcess | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'killed-'));
});
afterEach(() => {
  running?.kill();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** `npm start` as a user's terminal runs it, not with what this test process has in its environment. */
async function start() {
  const args = ['local/run.mjs', 'local/start.ts', '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { cwd: root, env: plainEnvironment });
  running = child;
  let output = '';
  const ended = once(child, 'close');
  const ready = new Promise<void>((resolve) => {
    const read = (text: Buffer) => {
      output += text;
      if (output.includes('The whole job')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const died = ended.then(() => Promise.reject(new Error(`npm start ended:\n${output}`)));
  died.catch(() => undefined);
  await Promise.race([ready, died]);
  const { baseUrl, apiKey, organizationId, pid } = JSON.parse(await readFile(join(dataDir, 'ready.json'), 'utf8'));
  const stop = async (signal: NodeJS.Signals) => {
    process.kill(pid, signal);
    await ended;
  };
  return { client: makeClient(baseUrl, () => apiKey), organizationId, pid: Number(pid), stop };
}
type Started = Awaited<ReturnType<typeof start>>;

async function killService(system: Started): Promise<Started> {
  await system.stop('SIGKILL');
  return start();
}

/** The service answers meanwhile, and starts them again. */
async function killWorkers(system: Started): Promise<Started> {
  const children = (await readFile(`/proc/${system.pid}/task/${system.pid}/children`, 'utf8')).trim().split(' ');
  const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')));
  process.kill(Number(children[commands.findIndex((command) => command.includes('workers-process.ts'))]), 'SIGKILL');
  expect(await system.client.ok('listFindings', { query: { paginateSize: 1 } })).toMatchObject({ pageSize: 1 });
  return system;
}

/** A report of a made-up program in which every finding is another one. */
function report(name: string, size: number) {
  const results = Array.from({ length: size }, (_, n) => ({
    ruleId: `rule-${n % 40}`,
    level: ['error', 'warning', 'note'][n % 3],
    message: { text: `${name}: the value ${n} is used unchecked` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/module-${n % 50}/file-${n}.c` },
          region: { startLine: n + 1, snippet: { text: `call(${n})` } },
        },
      },
    ],
  }));
  const sarif = { version: '2.1.0', runs: [{ tool: { driver: { name: 'example' } }, results }] };
  const content = gzipSync(JSON.stringify(sarif)).toString('base64');
  const encoding = 'gzip+base64' as const;
  return { format: 'sarif', content, encoding, repository: `https://git.example.com/${name}` };
}

const size = 2_500;
/** A message that was taken is delivered again. At the second death of its worker it is given up. */
const kills = MAX_DEATHS - 1;

test.each([
  { killed: 'a service that is', kill: killService },
  { killed: 'a service with workers that are', kill: killWorkers },
])('$killed killed at any moment finishes every accepted report once, with correct counters', async ({ kill }) => {
  let system = await start();
  const { organizationId } = system;
  // The second is of the scope of the first and waits for it; the third is worked on beside them.
  const reports = [report('shop', size), report('shop', size), report('billing', size)];
  const taskIds: string[] = [];
  for (const body of reports) taskIds.push((await system.client.ok('importFindings', { body })).taskId);
  const moments = Array.from({ length: kills }, () => Math.round(100 + Math.random() * 1_400));
  for (const moment of moments) {
    await sleep(moment);
    system = await kill(system);
  }
  const tasks = await Promise.all(taskIds.map((id) => finished(system.client, id)));
  const counts = { updated: 0, closed: 0, reopened: 0, rejected: [], rejectedCount: 0, repeated: 0 };
  const when = `killed after ${moments.join(', ')} ms`;
  expect(
    tasks.map(({ status, result }) => {
      const { bySeverity: _bySeverity, comparison: _comparison, ...rest } = Object(result);
      return { status, result: rest };
    }),
    when,
  ).toEqual([
    { status: 'succeeded', result: { ...counts, created: size, unchanged: 0 } },
    { status: 'succeeded', result: { ...counts, created: 0, unchanged: size } },
    { status: 'succeeded', result: { ...counts, created: size, unchanged: 0 } },
  ]);
  expect((await system.client.ok('listFindings')).totalCount, when).toBe(2 * size);
  await system.stop('SIGTERM');
  expect(await recounted(organizationId), when).toEqual([
    { records: 2 * size, differences: [] },
    { records: 2, differences: [] },
  ]);
});

/** Compares the counters in the table of the killed service with a recount. */
async function recounted(organizationId: string) {
  const engine = await startDynamoDb({ dataDir, logFile: join(dataDir, 'recount.log') });
  const connection = { endpoint: engine.endpoint, region: localRegion, credentials: localCredentials };
  const dynamo = openDynamo('exposure', connection);
  try {
    const table = openTable(dynamo, organizationId);
    const checked = [await verify(table, findings), await verify(table, assets)];
    return checked.map(({ records, differences }) => ({ records, differences }));
  } finally {
    dynamo.client.destroy();
    await engine.stop();
  }
}
