import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#shared/credentials/issue.ts';
import type { Scope } from '#shared/platform/auth/permissions.ts';
import { soon, toolReport } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const directory = mkdtempSync(join(tmpdir(), 'gate-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The commands of a section of docs/branches.md. */
function commandsIn(section: string): string {
  const [, text = ''] = readFileSync('docs/branches.md', 'utf8').split(`### ${section}\n`);
  const [shown = ''] = text.split(/^(?:###|docs\/)/m);
  const code = shown.split('\n').filter((line) => line.startsWith('    '));
  return code.join('\n');
}

type Job = { rules: string[]; ref: string; commit?: string; environment?: Record<string, string> };

/** Runs the commands as a CI job does that ends at the first failure. @returns the exit code of the shell, and its output */
async function run(commands: string, key: string, job: Job): Promise<{ exit: number; output: string }> {
  const { rules, ref, commit = 'abc', environment } = job;
  writeFileSync(join(directory, 'report.sarif'), toolReport(rules));
  const env = {
    PATH: process.env.PATH,
    EXPOSURE_URL: system.baseUrl,
    EXPOSURE_KEY: key,
    ...environment,
  };
  const named = commands.replaceAll('ref: "feature"', `ref: "${ref}"`).replaceAll('$(git rev-parse HEAD)', commit);
  return new Promise((resolve) => {
    const shell = execFile('bash', ['-e', '-c', named], { cwd: directory, env }, (_error, out, err) =>
      resolve({ exit: shell.exitCode ?? -1, output: out + err }),
    );
  });
}

const tools = spawnSync('bash', ['-c', 'command -v curl && command -v jq']);

async function startJobs(section: string) {
  const { table, admin } = await system.newOrganization();
  const scopes: Scope[] = ['imports:write'];
  const { secret } = await createApiKey(table, { name: 'ci', scopes, expiresAt: null });
  const commands = commandsIn(section);
  expect(commands).toContain('curl -sS --fail-with-body');
  const exit = async (job: Job) => (await run(commands, secret, job)).exit;
  return { admin, commands, exit };
}

describe.skipIf(tools.status !== 0)('the commands that the documentation shows', () => {
  test('fail a CI job for what a branch adds, and only for that', async () => {
    const { exit, commands, admin } = await startJobs('curl');
    expect(await exit({ ref: 'main', rules: ['a'] })).toBe(1);
    expect(await exit({ ref: 'main', rules: ['a'] })).toBe(1);
    expect(await exit({ ref: 'main', rules: ['a'], commit: 'def' })).toBe(0);
    expect(await exit({ ref: 'feature', rules: ['a'] })).toBe(0);
    expect(await exit({ ref: 'feature', rules: ['a', 'b'] })).toBe(1);
    expect(await exit({ ref: 'fix/a&b+c#1', rules: ['a'] })).toBe(0);
    const away = { EXPOSURE_URL: 'http://127.0.0.1:9' };
    expect(await exit({ ref: 'feature', rules: ['a'], environment: away })).not.toBe(0);
    const refused = await run(commands, 'wrong', { ref: 'feature', rules: ['a'] });
    expect(refused).toMatchObject({ exit: 1, output: expect.stringContaining('"code":"unauthorized"') });
    expect((await admin.ok('listAssets', {})).data).toHaveLength(1);
  });

  test('end a branch by its repository and name', async () => {
    const { admin, table } = await system.newOrganization();
    const { secret } = await createApiKey(table, { name: 'ci', scopes: ['imports:write'], expiresAt: null });
    const repository = 'https://git.example.com/acme/shop';
    for (const ref of ['main', 'feature'])
      await admin.ok('importFindings', { query: soon, body: { content: toolReport(['a', ref]), repository, ref } });
    expect(await run(commandsIn('The end of a branch'), secret, { ref: 'feature', rules: [] })).toMatchObject({
      exit: 0,
    });
    const again = await run(commandsIn('The end of a branch'), secret, { ref: 'unknown', rules: [] });
    expect(again.output).toContain('There is no branch unknown of https://git.example.com/acme/shop.');
    expect(again.exit).not.toBe(0);
  });
});
