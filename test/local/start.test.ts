import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { lockDataDir } from '#local/data-dir-lock.ts';
import { makeClient } from '../support/client.ts';
import { plainEnvironment } from '../support/plain-environment.ts';
import { until } from '../support/wait.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The output of `npm start` for a newcomer. */
async function welcome(dataDir: string, more = ['--memory']): Promise<string> {
  return (await started(dataDir, more)).output;
}

async function started(dataDir: string, more = ['--memory']) {
  const args = ['local/start.ts', '--port', '0', ...more, '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { cwd: root, env: plainEnvironment, detached: true });
  const closed = once(child, 'close');
  /** A terminal sends the signal of Ctrl-C to all processes of its group. */
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
    return closed;
  };
  onTestFinished(async () => void (await stop()));
  let output = '';
  for await (const text of child.stdout) {
    output += text;
    if (output.includes('The whole job')) return { output, stop };
  }
  throw new Error(`npm start ended: ${output}`);
}

/** Each numbered command with its continued lines. */
const commands = (text: string) => text.match(/curl (?:.*\\\n)*.*/g) ?? [];

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'start-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('a system in memory writes its credentials for scripts, but never over those of a stored system', async () => {
  const [free, kept] = [newDirectory(), newDirectory()];
  writeFileSync(join(kept, 'secrets.json'), '{}');
  writeFileSync(join(kept, 'ready.json'), 'kept');
  const said = [await welcome(free), await welcome(kept)];
  const ready = JSON.parse(readFileSync(join(free, 'ready.json'), 'utf8'));
  expect(said[0]).toContain(`at ${ready.baseUrl} `);
  expect(said[0]).toContain('KEV  a sample, 5 entries of 2026-03-28');
  expect(said[0]).toContain('KEV_FEED_URL=https://www.cisa.gov/');
  const headers = { authorization: `Bearer ${ready.apiKey}` };
  const read = async (path: string) => (await fetch(`${ready.baseUrl}/api/v1/advisories/${path}`, { headers })).json();
  expect(await read('feeds')).toMatchObject([{ name: 'epss', sample: true, entries: 4 }, { sample: true }, {}, {}]);
  expect(await read('CVE-2017-0144')).toMatchObject({ kev: { addedAt: '2022-02-10', ransomware: true } });
  expect(said[0]).toContain(`API key        ${ready.apiKey}`);
  expect(readFileSync(join(kept, 'ready.json'), 'utf8')).toBe('kept');
});

test('a service that is stopped ends at once, though its workers wait twenty seconds for a message', async () => {
  const { stop } = await started(newDirectory());
  const asked = performance.now();
  expect(await stop('SIGINT')).toEqual([0, null]);
  expect(performance.now() - asked).toBeLessThan(10_000);
});

test('Ctrl-C amid an import lets the workers finish what they have taken, with the table that they need', async () => {
  const directory = newDirectory();
  const { stop } = await started(directory, []);
  const { baseUrl, apiKey } = JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8'));
  const findings = Array.from({ length: 3_000 }, (_, n) => ({
    title: `problem ${n}`,
    severity: 'high',
    ruleId: `r${n}`,
  }));
  const content = JSON.stringify({ tool: 'audit', findings });
  const body = { format: 'generic', content, repository: 'https://git.example.com/shop' } as const;
  const client = makeClient(baseUrl, () => apiKey);
  const { taskId } = await client.ok('importFindings', { body });
  const task = () => client.ok('getTask', { params: { id: taskId } });
  await until(task, ({ status }) => status === 'running');
  const asked = performance.now();
  expect(await stop('SIGINT')).toEqual([0, null]);
  expect(performance.now() - asked).toBeLessThan(100_000);
});

test('no other user of the host can read the data, not even that of an earlier release', async () => {
  const directory = newDirectory();
  chmodSync(directory, 0o755);
  await welcome(directory, []);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  const open = files.filter((file) => statSync(join(file.parentPath, file.name)).mode & 0o077);
  expect(open.map(({ name }) => name)).toEqual([]);
  expect(files.length).toBeGreaterThan(5);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('the three printed commands work as they are: a report is imported, its findings listed and counted', async () => {
  const answers: unknown[] = [];
  for (const command of commands(await welcome(newDirectory()))) {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: root });
    answers.push(JSON.parse(stdout));
  }
  expect(answers).toMatchObject([
    { status: 'succeeded', task: { result: { created: 5, rejected: [] } } },
    { totalCount: 5, data: [{}, {}, {}, {}, {}] },
    { total: 5, open: 5, bySeverity: { critical: 1, high: 2, medium: 1, low: 1, info: 0 } },
  ]);
});

test('a start that fails prints its reason in one line instead of a stack trace', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'taken-'));
  const lock = lockDataDir(dataDir);
  onTestFinished(() => {
    lock.release();
    rmSync(dataDir, { recursive: true });
  });
  const cases: [string[], RegExp][] = [
    [['--port', '0', '--data-dir', dataDir], /^.* is in use by another running system\. Stop that one, .*\n$/],
    [['--port', 'http'], /^--port must be a number from 0 to 65535, not http\n$/],
    [['--prot', '0'], /^Unknown option '--prot'.*\nusage: npm start -- .*\n$/],
  ];
  for (const [args, says] of cases) {
    const run = promisify(execFile)(process.execPath, ['local/start.ts', ...args], { cwd: root });
    await expect(run).rejects.toMatchObject({ code: 64, stderr: expect.stringMatching(says) });
  }
});
