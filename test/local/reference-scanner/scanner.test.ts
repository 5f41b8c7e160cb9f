import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { Tool } from '#local/reference-scanner/tools.ts';
import { eventually } from '../../support/wait.ts';
import {
  endOfScanner,
  forever,
  give,
  inDirectory,
  isAlive,
  kept,
  leaveTrace,
  polls,
  printArguments,
  reportIn,
  resultOf,
  script,
  start,
  stop,
  task,
  theService,
  traceOfTool,
  withScanner,
} from './bench.ts';

withScanner();

describe('linking', () => {
  const instances = () =>
    theService()
      .called('link')
      .map(({ body }) => body.instanceId);

  test('happens once: a restart uses the stored credential', async () => {
    start(script(''));
    await polls(1);
    await stop();
    const polled = theService().called('new_tasks').length;
    start(script(''));
    await polls(polled + 1);
    expect(instances()).toHaveLength(1);
  });

  test('again after a lost answer or a crash names the same installation, which may be released', async () => {
    theService().fail('link', 'lost answer', 503);
    start(script(''));
    await polls(1);
    await stop();
    const identity = inDirectory('state/scanner.json');
    const { instanceId } = JSON.parse(readFileSync(identity, 'utf8'));
    writeFileSync(identity, JSON.stringify({ instanceId }));
    const polled = theService().called('new_tasks').length;
    start(script(''));
    await polls(polled + 1);
    expect(instances()).toEqual([instanceId, instanceId, instanceId]);
  });

  test('does not happen when the stored identity cannot be read, which would make two scanners', async () => {
    mkdirSync(inDirectory('state'));
    writeFileSync(inDirectory('state/scanner.json'), '{"instanceId": "a');
    start(script(''));
    expect(await endOfScanner()).toBeInstanceOf(SyntaxError);
    expect(instances()).toEqual([]);
  });
});

test('a scanner prints once that it should be upgraded', async () => {
  theService().next.upgrade = 'Upgrade to version 9 when it suits.';
  start(script(''));
  await polls(3);
  expect(vi.mocked(console.error).mock.calls).toEqual([['Upgrade to version 9 when it suits.']]);
});

describe('a service that fails', () => {
  const seed = 'const { createHash } = require("node:crypto"); for (let n = 0; n < 90_000; n++)';
  const large = `${seed} process.stdout.write(createHash("sha256").update(String(n)).digest())`;

  test('is polled again when it is overloaded or broken', async () => {
    theService().fail('new_tasks', 429, 500, 503, 'lost answer');
    start(script(printArguments));
    await polls(2);
    theService().next.tasks.push(task('t1'));
    expect(await resultOf('t1')).toMatchObject({ outcome: 'completed' });
  });

  test('gives a task again that it gave to a scanner which was stopped before it read the answer', async () => {
    theService().next.tasks.push(task('t1'));
    const poll = { method: 'POST', body: '{"running":[]}' };
    await fetch(`${theService().url}/api/v1/scanner_communication/new_tasks`, poll);
    start(script(printArguments));
    expect(await resultOf('t1')).toMatchObject({ outcome: 'completed' });
  });

  test('is polled again after it could not be reached', async () => {
    start(script(''));
    await polls(1);
    await theService().stop();
    const before = theService().called('new_tasks').length;
    await eventually(() => expect(console.error).toHaveBeenCalledWith(expect.stringContaining('cannot be reached')));
    await theService().comeBack();
    await polls(before + 1);
    await eventually(() => expect(console.error).toHaveBeenCalledWith('the service is reached again'));
  });

  test('that revoked the credential ends the scanner, and unsent results are kept', async () => {
    theService().fail('completed_tasks', 401, 401);
    theService().next.tasks.push(task('t1'));
    start(script(printArguments));
    expect(await endOfScanner()).toMatchObject({ status: 401 });
    expect(kept().sort()).toEqual(['t1.json', 't1.report']);
  });

  test('gets a large report in parts, and only the failed parts again', async () => {
    theService().fail('put', 500, 403);
    give(script(large), task('t1'));
    expect((await resultOf('t1'))?.reports).toEqual([{ format: 'sarif', uploadId: 'upload-1' }]);
    const [asked] = theService().called('uploads');
    expect(asked?.body).toEqual({
      sizeBytes: theService().uploaded().length,
      sha256: createHash('sha256').update(theService().uploaded()).digest('hex'),
    });
    expect(theService().called('uploads')).toHaveLength(1);
  });

  test('gets a large report that it refused while the scanner was disabled', async () => {
    theService().fail('uploads', 'disabled', 'disabled');
    give(script(large), task('t1'));
    expect(await resultOf('t1')).toMatchObject({ outcome: 'completed', reports: [{ uploadId: 'upload-1' }] });
  });
});

describe('the process', () => {
  const command = fileURLToPath(new URL('../../../local/scanner.ts', import.meta.url));

  function launch(tool: Tool) {
    const tools = inDirectory('tools.json');
    writeFileSync(tools, JSON.stringify([tool]));
    const state = ['--state-dir', inDirectory('state'), '--tools', tools];
    const child = spawn(process.execPath, [command, '--url', theService().url, '--link-token', 'link', ...state]);
    child.stdout.resume();
    child.stderr.resume();
    return { child, exit: once(child, 'exit') };
  }

  test('that is killed sends its results once after its next start', async () => {
    theService().fail('completed_tasks', ...Array.from({ length: 1_000 }, () => 503));
    theService().next.tasks.push(task('t1'));
    const killed = launch(script(printArguments));
    await eventually(() => expect(kept()).toContain('t1.json'));
    killed.child.kill('SIGKILL');
    await killed.exit;
    theService().fail('completed_tasks');
    const later = launch(script(printArguments));
    expect(reportIn(await resultOf('t1'))).toBe('["127.0.0.1","1"]');
    await eventually(() => expect(kept()).toEqual([]));
    later.child.kill('SIGTERM');
    expect(await later.exit).toEqual([0, null]);
    expect(theService().results()).toHaveLength(1);
  });

  test('that is asked to stop ends its tools, gives their tasks back and exits with code 0', async () => {
    const { child, exit } = launch(script(leaveTrace('process.pid') + forever));
    theService().next.tasks.push(task('t1'));
    await eventually(() => expect(traceOfTool()).toMatch(/^\d+$/));
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(theService().results()).toMatchObject([{ taskId: 't1', outcome: 'cancelled' }]);
    expect(isAlive(Number(traceOfTool()))).toBe(false);
  });
});
