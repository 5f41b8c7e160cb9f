import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { keyOf, startCli } from '../support/cli.ts';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
let logs: Awaited<ReturnType<typeof logCollector>>;
let env: Record<string, string | undefined>;

const failed = (seconds: number, host: string, user: string) =>
  ssh(ago(seconds), `Failed password for ${user} from 203.0.113.9 port 22 ssh2`, host);

beforeAll(async () => {
  logs = await logCollector(system);
  env = await keyOf(system, logs, ['soc:read']);
  await logs.send('1', [
    failed(90, 'web-01', 'bob'),
    failed(80, 'web-01', 'eve'),
    ssh(ago(70), 'Accepted publickey for bob from 10.0.3.7 port 22 ssh2', 'web-02'),
  ]);
  await logs.done('1');
});

const run = (...args: string[]) => cli.run(['logs', ...args], { env });
const eventsIn = (text: string): { host: string; user: string; at: string }[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('search prints the events that fit, newest first, up to a limit', async () => {
  const all = await run('search', 'Failed', '--since', '1h');
  expect(eventsIn(all.stdout).map(({ user }) => user)).toEqual(['eve', 'bob']);
  const one = await run('search', '--host', 'web-01', '--limit', '1');
  expect(eventsIn(one.stdout)).toMatchObject([{ host: 'web-01', user: 'eve' }]);
  expect(await run('search', 'host:(')).toMatchObject({ code: 2, stdout: '' });
  expect(await run('search', '--since', 'yesterday')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Write it as 30m, 24h or 7d.'),
  });
});

test('values counts a field, and export writes the columns that are asked for', async () => {
  const values = await run('values', '--field', 'host');
  expect(values).toMatchObject({ code: 0, stderr: expect.stringContaining('2 values in 3 events') });
  expect(values.stdout.trim().split(/\s+/)).toEqual(['2', 'web-01', '1', 'web-02']);
  const file = join(cli.home, 'events.csv');
  const exported = await run('export', 'user:bob', '--format', 'csv', '--columns', 'host,user', '--output', file);
  expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining('2 events') });
  expect(readFileSync(file, 'utf8')).toBe('host,user\r\n"web-02","bob"\r\n"web-01","bob"\r\n');
});

test('hunt tries a rule that is not stored, and writes the events that it matches', async () => {
  const rule = join(cli.home, 'rule.yml');
  const detection = '{ selection: { message|contains: Failed }, condition: selection }';
  writeFileSync(rule, `title: x\nlogsource: { product: linux, service: sshd }\ndetection: ${detection}\n`);
  const hunt = await run('hunt', '--rule-file', rule, '--since', '24h');
  expect(hunt).toMatchObject({ code: 0, stderr: expect.stringContaining('matches 2 events of') });
  expect(eventsIn(hunt.stdout).map(({ user }) => user)).toEqual(['eve', 'bob']);
  const all = await run('hunt', '--rules', 'on', '--since', '24h');
  expect(all).toMatchObject({ code: 0, stderr: expect.stringMatching(/\d of \d+ rules match 2 events of/) });
  const stderr = expect.stringContaining('one of --rule-file, --rule-id and --rules');
  expect(await run('hunt')).toMatchObject({ code: 2, stderr });
  expect(await run('hunt', '--rules', 'on', '--rule-file', rule)).toMatchObject({ code: 2, stderr });
});
