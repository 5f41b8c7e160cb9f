import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runScanner } from '#local/reference-scanner/scanner.ts';
import { defaultTools, Tool } from '#local/reference-scanner/tools.ts';
import { type FakeService, startFakeService } from '#test/local/fake-scanner-service.ts';
import { eventsOf, findingsOf } from '#test/shared/reports/reading.ts';

let service: FakeService;
let directory: string;
let stopping: AbortController;
let ended: Promise<unknown>;

beforeEach(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  service = await startFakeService();
  directory = mkdtempSync(join(tmpdir(), 'scanner-'));
  ended = Promise.resolve();
});
afterEach(async () => {
  await stop();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
  vi.restoreAllMocks();
});

/** A tool that runs this script; `process.argv[1]` is the target, then come its parameters. */
const script = (code: string, more: Partial<Tool> = {}): Tool =>
  Tool.parse({
    taskType: 'network',
    name: 'tool',
    command: process.execPath,
    arguments: ['--eval', code, '--', '{target}', '{depth}'],
    format: 'sarif',
    parameters: { depth: { pattern: '[0-9]{1,2}', default: '1' } },
    ...more,
  });
const printArguments = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
const ran = () => join(directory, 'ran');

function start(tool: Tool): void {
  stopping = new AbortController();
  const options = { url: service.url, linkToken: 'link', capacity: 2, name: 'test', tools: [tool] };
  ended = runScanner({ ...options, stateDirectory: join(directory, 'state') }, stopping.signal).catch((error) => error);
}
async function stop(): Promise<unknown> {
  stopping?.abort();
  return ended;
}

const task = (id: string, value = '127.0.0.1', parameters = {}) => ({
  id,
  type: 'network',
  target: { type: 'host', value },
  parameters,
  attempt: 1,
});
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });
const polls = (count: number) => until(() => expect(service.called('new_tasks').length).toBeGreaterThanOrEqual(count));
const kept = () => readdirSync(join(directory, 'state/results'));

async function resultOf(taskId: string) {
  await until(() => expect(service.results().map((result) => result.taskId)).toContain(taskId));
  return service.results().find((result) => result.taskId === taskId);
}
const reportIn = (result: Awaited<ReturnType<typeof resultOf>>): string => {
  const [report] = (result?.reports ?? []) as { content: string }[];
  return gunzipSync(Buffer.from(report?.content ?? '', 'base64')).toString();
};

describe('linking', () => {
  const instances = () => service.called('link').map(({ body }) => body.instanceId);

  test('happens once: a restart uses the credential that was given', async () => {
    start(script(''));
    await polls(1);
    await stop();
    start(script(''));
    await polls(2);
    expect(instances()).toHaveLength(1);
  });

  test('again after a lost answer or a crash makes no second scanner', async () => {
    service.fail('link', 'lost answer', 503);
    start(script(''));
    await polls(1);
    await stop();
    const identity = join(directory, 'state/scanner.json');
    const { instanceId } = JSON.parse(readFileSync(identity, 'utf8'));
    writeFileSync(identity, JSON.stringify({ instanceId }));
    start(script(''));
    await polls(2);
    expect(instances()).toEqual([instanceId, instanceId, instanceId]);
  });

  test('does not happen when the kept identity cannot be read, or there would be two scanners', async () => {
    mkdirSync(join(directory, 'state'));
    writeFileSync(join(directory, 'state/scanner.json'), '{"instanceId": "a');
    start(script(''));
    expect(await ended).toBeInstanceOf(SyntaxError);
    expect(instances()).toEqual([]);
  });
});

describe('a service that fails', () => {
  test('is polled again when it is overloaded or broken', async () => {
    service.fail('new_tasks', 429, 500, 503, 'lost answer');
    start(script(printArguments));
    await polls(2);
    service.next.tasks.push(task('t1'));
    expect(await resultOf('t1')).toMatchObject({ outcome: 'completed' });
  });

  test('is polled again after it was away', async () => {
    start(script(''));
    await polls(1);
    await service.stop();
    const before = service.called('new_tasks').length;
    await until(() => expect(console.error).toHaveBeenCalledWith(expect.stringContaining('cannot be reached')));
    await service.comeBack();
    await polls(before + 1);
  });

  test('that revoked the credential ends the scanner, and what was found is kept', async () => {
    service.fail('completed_tasks', 401, 401);
    service.next.tasks.push(task('t1'));
    start(script(printArguments));
    expect(await ended).toMatchObject({ status: 401 });
    expect(kept().sort()).toEqual(['t1.json', 't1.report']);
  });

  test('gets a large report in parts, and only those again that it did not take', async () => {
    service.fail('put', 500, 403);
    const seed = 'const { createHash } = require("node:crypto"); for (let n = 0; n < 90_000; n++)';
    start(script(`${seed} process.stdout.write(createHash("sha256").update(String(n)).digest())`));
    service.next.tasks.push(task('t1'));
    expect((await resultOf('t1'))?.reports).toEqual([{ format: 'sarif', uploadId: 'upload-1' }]);
    const [asked] = service.called('uploads');
    expect(asked?.body).toEqual({
      sizeBytes: service.uploaded().length,
      sha256: createHash('sha256').update(service.uploaded()).digest('hex'),
    });
    expect(service.called('uploads')).toHaveLength(1);
  });
});

describe('a task', () => {
  test('that is cancelled stops its tool and everything that the tool started', async () => {
    const child = 'require("node:child_process").spawn("sleep", ["1000"]).pid';
    const pids = `require("node:fs").writeFileSync(${JSON.stringify(ran())}, process.pid + " " + ${child});`;
    start(script(`process.on("SIGTERM", () => {}); ${pids} setInterval(() => {}, 1000)`));
    service.next.tasks.push(task('t1'));
    await until(() => expect(existsSync(ran()) && readFileSync(ran(), 'utf8')).toMatch(/^\d+ \d+$/));
    service.next.cancel.push({ taskId: 't1' });
    expect(await resultOf('t1')).toMatchObject({ outcome: 'cancelled', reports: [] });
    for (const pid of readFileSync(ran(), 'utf8').split(' '))
      await until(() => expect(isAlive(Number(pid))).toBe(false));
  });

  test('that another scanner has now is stopped and its result dropped', async () => {
    start(script(`require("node:fs").writeFileSync(${JSON.stringify(ran())}, "x"); setInterval(() => {}, 1000)`));
    service.next.tasks.push(task('t1'));
    await until(() => expect(existsSync(ran())).toBe(true));
    service.next.lost.push('t1');
    await until(() => expect(service.called('new_tasks').at(-1)?.body.running).toEqual([]));
    expect(service.results()).toEqual([]);
    expect(kept()).toEqual([]);
  });

  test.each([
    ['a target that would be an option', '-oN/etc/passwd', {}],
    ['a target with a blank', '127.0.0.1 --script=evil', {}],
    ['a target with a line break', '127.0.0.1\n-v', {}],
    ['a target with a control character', '127.0.0.1\u0007', {}],
    ['no target', '', {}],
    ['a parameter outside its pattern', '127.0.0.1', { depth: '1;x' }],
    ['a parameter that only begins as its pattern', '127.0.0.1', { depth: '123' }],
  ])('with %s never reaches the tool', async (_, value, parameters) => {
    start(script(`require("node:fs").writeFileSync(${JSON.stringify(ran())}, "x")`));
    service.next.tasks.push(task('t1', value, parameters));
    expect(await resultOf('t1')).toMatchObject({ outcome: 'failed', error: { code: 'tool_not_run' } });
    expect(existsSync(ran())).toBe(false);
  });

  test.each(['$(touch<x)', '`touch`', ';reboot', '*', '{depth}', "'", '%00', '|cat<x>y'])(
    'gives the tool its target %s as text: no shell reads it',
    async (value) => {
      start(script(printArguments));
      service.next.tasks.push(task('t1', value, { depth: 7 }));
      expect(reportIn(await resultOf('t1'))).toBe(JSON.stringify([value, '7']));
    },
  );

  test('of a kind that no tool does is given back with the reason', async () => {
    start(script(''));
    service.next.tasks.push({ ...task('t1'), type: 'quantum' });
    expect(await resultOf('t1')).toMatchObject({ outcome: 'failed', error: { code: 'no_tool' } });
  });

  test.each([
    ['failed', script('process.stderr.write("x".repeat(9_000)); process.exitCode = 3'), 'tool_failed'],
    ['is not there', script('', { command: '/no/such/tool' }), 'tool_not_run'],
    ['takes too long', script('setInterval(() => {}, 1000)', { timeoutSeconds: 1 }), 'timeout'],
    ['wrote nothing', script(''), 'no_report'],
  ])('whose tool %s fails with a reason that the service takes', async (_, tool, code) => {
    start(tool);
    service.next.tasks.push(task('t1'));
    const result = await resultOf('t1');
    expect(result).toMatchObject({ outcome: 'failed', error: { code }, reports: [] });
    expect(result?.error?.message.length).toBeLessThanOrEqual(2000);
    expect(kept().filter((name) => name.endsWith('.report'))).toEqual([]);
  });

  test('that found nothing is a success where the tool then writes nothing', async () => {
    const nuclei = defaultTools.find(({ name }) => name === 'nuclei');
    start(script('', { emptyReport: nuclei?.emptyReport, format: 'nuclei' }));
    service.next.tasks.push(task('t1'));
    const result = await resultOf('t1');
    expect(result?.outcome).toBe('completed');
    expect(findingsOf(await eventsOf('nuclei', reportIn(result)))).toEqual([]);
  });
});

describe('the process', () => {
  const command = fileURLToPath(new URL('../../local/scanner.ts', import.meta.url));

  function launch(tool: Tool) {
    const tools = join(directory, 'tools.json');
    writeFileSync(tools, JSON.stringify([tool]));
    const state = ['--state-dir', join(directory, 'state'), '--tools', tools];
    const child = spawn(process.execPath, [command, '--url', service.url, '--link-token', 'link', ...state]);
    child.stdout.resume();
    child.stderr.resume();
    return { child, exit: once(child, 'exit') };
  }

  test('that is killed sends what it had found after its next start, once', async () => {
    service.fail('completed_tasks', ...Array.from({ length: 1_000 }, () => 503));
    service.next.tasks.push(task('t1'));
    const killed = launch(script(printArguments));
    await until(() => expect(kept()).toContain('t1.json'));
    killed.child.kill('SIGKILL');
    await killed.exit;
    service.fail('completed_tasks');
    const later = launch(script(printArguments));
    expect(reportIn(await resultOf('t1'))).toBe('["127.0.0.1","1"]');
    await until(() => expect(kept()).toEqual([]));
    later.child.kill('SIGTERM');
    expect(await later.exit).toEqual([0, null]);
    expect(service.results()).toHaveLength(1);
  });

  test('that is asked to stop ends its tools, gives their tasks back and leaves cleanly', async () => {
    const { child, exit } = launch(
      script(
        `require("node:fs").writeFileSync(${JSON.stringify(ran())}, String(process.pid)); setInterval(() => {}, 1000)`,
      ),
    );
    service.next.tasks.push(task('t1'));
    await until(() => expect(existsSync(ran()) && readFileSync(ran(), 'utf8')).toMatch(/^\d+$/));
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(service.results()).toMatchObject([{ taskId: 't1', outcome: 'cancelled' }]);
    expect(isAlive(Number(readFileSync(ran(), 'utf8')))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
