import { describe, expect, test } from 'vitest';
import { argumentsOf, defaultTools } from '#local/reference-scanner/tools.ts';
import { eventsOf, findingsOf } from '../../shared/reports/readers/reading.ts';
import { eventually } from '../../support/wait.ts';
import {
  forever,
  give,
  isAlive,
  kept,
  leaveTrace,
  printArguments,
  reportIn,
  resultOf,
  script,
  stop,
  task,
  theService,
  traceOfTool,
  withScanner,
} from './bench.ts';

withScanner();

describe('a task', () => {
  test('that is cancelled stops its tool and everything that the tool started', async () => {
    const child = 'require("node:child_process").spawn("sleep", ["1000"]).pid';
    give(
      script(`process.on("SIGTERM", () => {}); ${leaveTrace(`process.pid + " " + ${child}`)} ${forever}`),
      task('t1'),
    );
    await eventually(() => expect(traceOfTool()).toMatch(/^\d+ \d+$/));
    theService().next.cancel.push({ taskId: 't1' });
    expect(await resultOf('t1')).toMatchObject({ outcome: 'cancelled', reports: [] });
    for (const pid of traceOfTool().split(' ')) await eventually(() => expect(isAlive(Number(pid))).toBe(false));
  });

  test('that another scanner has now is stopped, and its result is dropped', async () => {
    give(script(leaveTrace('1') + forever), task('t1'));
    await eventually(() => expect(traceOfTool()).toBe('1'));
    theService().next.lost.push('t1');
    await eventually(() => expect(theService().called('new_tasks').at(-1)?.body.running).toEqual([]));
    expect(theService().results()).toEqual([]);
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
    give(script(leaveTrace('1')), task('t1', value, parameters, 'application'));
    expect(await resultOf('t1')).toMatchObject({ outcome: 'failed', error: { code: 'tool_not_run' } });
    expect(traceOfTool()).toBe('');
  });

  test('reaches its tool with its excluded pages, and is not run by a tool that cannot leave them out', async () => {
    const exclusions = ['a', 'b'].map((page) => ({ type: 'url', value: `https://local.example.com/${page}` }));
    give(
      script(printArguments, { excluding: ['--exclude', '{exclusions}'] }),
      { ...task('t1', 'local.example.com'), exclusions },
      task('t2', 'local.example.com'),
    );
    const pages = 'https://local.example.com/a,https://local.example.com/b';
    expect(reportIn(await resultOf('t1'))).toBe(JSON.stringify(['127.0.0.1', '1', '--exclude', pages]));
    expect(reportIn(await resultOf('t2'))).toBe(JSON.stringify(['127.0.0.1', '1']));
    await stop();
    give(script(leaveTrace('1')), { ...task('t3', 'local.example.com'), exclusions });
    expect(await resultOf('t3')).toMatchObject({ outcome: 'failed', error: { code: 'tool_not_run' } });
    expect(traceOfTool()).toBe('');
  });

  test.each(['$(touch<x)', '`touch`', ';reboot', '*', '{depth}', "'", '%00', '|cat<x>y'])(
    'gives the tool its target %s as text: no shell reads it',
    async (value) => {
      give(script(printArguments), task('t1', value, { depth: 7 }, 'application'));
      expect(reportIn(await resultOf('t1'))).toBe(JSON.stringify([value, '7']));
    },
  );

  test('of a type without a tool is given back with the reason', async () => {
    give(script(''), { ...task('t1'), type: 'quantum' });
    expect(await resultOf('t1')).toMatchObject({ outcome: 'failed', error: { code: 'no_tool' } });
  });

  test.each([
    ['failed', script('process.stderr.write("x".repeat(9_000)); process.exitCode = 3'), 'tool_failed'],
    ['is not there', script('', { command: '/no/such/tool' }), 'tool_not_run'],
    ['takes too long', script(forever, { timeoutSeconds: 1 }), 'timeout'],
    ['wrote nothing', script(''), 'no_report'],
  ])('whose tool %s fails with a reason that the service takes', async (_, tool, code) => {
    give(tool, task('t1'));
    const result = await resultOf('t1');
    expect(result).toMatchObject({ outcome: 'failed', error: { code }, reports: [] });
    expect(result?.error?.message.length).toBeLessThanOrEqual(2000);
    expect(kept().filter((name) => name.endsWith('.report'))).toEqual([]);
  });

  test.each([
    ['nmap', {}, ['--script', 'default']],
    ['nmap', { scripts: 'safe' }, ['--script', 'safe and not (auth or broadcast or external)']],
    ['nmap', { scripts: 'default,vuln,ssl-cert' }, ['default,vuln and not (auth or broadcast or external),ssl-cert']],
    ['nuclei', {}, ['-no-interactsh=true']],
    ['nuclei', { noInteractsh: 'false' }, ['-no-interactsh=false']],
  ])('asks nobody but its target unless it says so: %s with %j', (name, parameters, wanted) => {
    const tool = defaultTools.find((one) => one.name === name);
    const given = tool && argumentsOf(tool, { target: '192.0.2.1', exclusions: [], parameters });
    expect(given).toEqual(expect.arrayContaining(wanted));
  });

  test('without findings succeeds, even if the tool then writes nothing', async () => {
    const nuclei = defaultTools.find(({ name }) => name === 'nuclei');
    give(script('', { emptyReport: nuclei?.emptyReport, format: 'nuclei' }), task('t1'));
    const result = await resultOf('t1');
    expect(result?.outcome).toBe('completed');
    expect(findingsOf(await eventsOf('nuclei', reportIn(result)))).toEqual([]);
  });
});
