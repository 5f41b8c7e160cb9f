import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { hasTerminals, keyOf, startCli } from '../support/cli.ts';
import { sarifReport } from '../support/sarif.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
let env: Record<string, string | undefined>;
let admin: Awaited<ReturnType<typeof system.newOrganization>>['admin'];

beforeAll(async () => {
  const organization = await system.newOrganization();
  admin = organization.admin;
  env = await keyOf(system, organization, [
    'findings:read',
    'findings:write',
    'assets:read',
    'vulnerabilities:read',
    'soc:read',
  ]);
  writeFileSync(join(cli.home, 'a.sarif'), sarifReport({ count: 510 }));
  writeFileSync(
    join(cli.home, 'b.sarif'),
    sarifReport({ count: 2, level: 'warning', tool: '\u001b[31mred', rule: 'xss' }),
  );
  const at = ['--repository', 'https://git.example.com/acme/shop', '--ref', 'main', '--base', 'main'];
  expect(await cli.run(['import', 'a.sarif', 'b.sarif', ...at], { env })).toMatchObject({ code: 0 });
});

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await cli.run([...args, '--json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

test('a filter selects findings; all of them come page by page, each once', async () => {
  const all: { id: string }[] = await json('findings', 'list', '--filter', 'severity:high', '--all');
  expect(new Set(all.map(({ id }) => id)).size).toBe(510);
  expect(all).toHaveLength(510);
  expect(await json('findings', 'list', '--limit', '7')).toHaveLength(7);
  expect(await cli.run(['findings', 'count', '--filter', 'severity:medium'], { env })).toEqual({
    code: 0,
    stdout: '2\n',
    stderr: '',
  });
  expect(await json('findings', 'list', '--filter', 'tool:nothing')).toEqual([]);
});

test('a pipe gets whole values between tabs, of the columns that were asked for', async () => {
  const args = ['findings', 'list', '--filter', 'severity:medium', '--columns', 'severity,asset.name,title'];
  const { stdout } = await cli.run(args, { env });
  const [head, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(head).toEqual(['SEVERITY', 'ASSET', 'TITLE']);
  expect(rows).toHaveLength(2);
  for (const [severity, , title] of rows)
    expect([severity, title]).toEqual(['medium', expect.stringContaining('SQL built')]);
});

test.runIf(hasTerminals)('a table fits each terminal, and a report cannot write to the screen', async () => {
  for (const columns of [60, 80, 132]) {
    const { code, screen } = await cli.inTerminal(['findings', 'list', '--filter', 'severity:medium'], {
      env,
      columns,
    });
    const lines = stripVTControlCharacters(screen)
      .split('\n')
      .map((line) => line.split('\r').at(-1) ?? '');
    expect({ code, longest: Math.max(...lines.map((line) => line.length)) <= columns }).toEqual({
      code: 0,
      longest: true,
    });
    expect(screen).toMatch(/SEVERITY.*TITLE/);
  }
  const { screen } = await cli.inTerminal(['findings', 'list', '--filter', 'severity:medium', '--columns', 'tool'], {
    env,
  });
  expect(screen).not.toContain('\u001b[31m');
});

test('a finding shows why it is open; a record of another kind shows itself', async () => {
  const [finding] = (await admin.ok('listFindings', { query: { severity: ['high'] } })).data;
  const { code, stdout } = await cli.run(['findings', 'show', finding?.id ?? ''], { env });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/severity +high\n.*why open +\S/s) });
  const [task] = await json('tasks', 'list', '--limit', '1');
  expect(await json('tasks', 'show', task.id)).toMatchObject({ operation: 'ingest_report', status: 'succeeded' });
  const [asset] = await json('assets', 'list');
  expect(await json('assets', 'show', asset.id)).toMatchObject({ type: 'repository' });
  expect(await json('vulnerabilities', 'list')).toEqual([]);
  expect(await json('alerts', 'count')).toEqual({ count: 0 });
});

test('a wrong filter, order or id is refused with the way out', async () => {
  const wrong = await cli.run(['findings', 'list', '--filter', 'sevrity:high'], { env });
  expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('did you mean severity') });
  expect(await cli.run(['findings', 'list', '--sort', 'size'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('priority'),
  });
  const id = '01900000-0000-7000-8000-000000000000';
  expect(await cli.run(['findings', 'show', id], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(id),
  });
});
