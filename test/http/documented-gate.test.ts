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

/** The commands of a section of docs/branches.md: of a job, what its runner gives to the shell. */
function commandsIn(section: string): string {
  const [, text = ''] = readFileSync('docs/branches.md', 'utf8').split(`### ${section}\n`);
  const [shown = ''] = text.split(/^(?:###|docs\/)/m);
  const code = shown.split('\n').filter((line) => line.startsWith('    '));
  const start = code.findIndex((line) => /^ *- (run: )?\|$/.test(line));
  if (start < 0) return code.join('\n');
  const indent = /^ */.exec(code[start + 1] ?? '')?.[0] ?? '';
  const end = code.findIndex((line, n) => n > start && !line.startsWith(indent));
  return code.slice(start + 1, end < 0 ? undefined : end).join('\n');
}

type Job = { rules: string[]; ref: string; commit?: string; isFork?: boolean; environment?: Record<string, string> };

/** The variables that GitHub and GitLab give to a job: of a merge request, where the branch is another than main or of a fork. */
function variablesOf({ ref, commit = 'abc', isFork = false }: Job) {
  const isRequest = ref !== 'main' || isFork;
  const source = isFork ? 'stranger/shop' : 'acme/shop';
  const request = {
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: ref,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: source,
    CI_MERGE_REQUEST_PROJECT_PATH: 'acme/shop',
    CI_MERGE_REQUEST_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
  };
  return {
    GITHUB_SERVER_URL: 'https://github.example.com',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_REF: isRequest ? 'refs/pull/7/merge' : 'refs/heads/main',
    GITHUB_HEAD_REF: isRequest ? ref : '',
    GITHUB_BASE_REF: isRequest ? 'main' : '',
    COMMIT: commit,
    PART: '',
    DEFAULT_BRANCH: 'main',
    HEAD_REPOSITORY: isRequest ? source : '',
    CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
    CI_PROJECT_PATH: 'acme/shop',
    CI_DEFAULT_BRANCH: 'main',
    CI_COMMIT_SHA: commit,
    CI_COMMIT_REF_NAME: ref,
    ...(isRequest && request),
  };
}

/** Runs the commands as a CI job does that ends at the first failure. @returns the exit code of the shell, and its output */
async function run(commands: string, key: string, job: Job): Promise<{ exit: number; output: string }> {
  const { rules, ref, commit = 'abc', environment } = job;
  for (const name of ['report.sarif', 'gl-sast-report.json']) writeFileSync(join(directory, name), toolReport(rules));
  const env = {
    PATH: process.env.PATH,
    EXPOSURE_URL: system.baseUrl,
    EXPOSURE_KEY: key,
    ...variablesOf(job),
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
  const scopes: Scope[] = ['findings:write', 'findings:read'];
  const { secret } = await createApiKey(table, { name: 'ci', scopes, expiresAt: null });
  const commands = commandsIn(section);
  expect(commands).toContain('curl -sS --fail-with-body');
  const exit = async (job: Job) => (await run(commands, secret, job)).exit;
  const branches = async () => (await admin.ok('listBranches', {})).data.map(({ name }) => name).sort();
  return { admin, commands, exit, branches };
}

const JOBS = ['GitHub Actions', 'GitLab CI'];

describe.skipIf(tools.status !== 0)('the commands that the documentation shows', () => {
  test.each(['curl', ...JOBS])('fail a CI job of %s for what a branch adds, and only for that', async (section) => {
    const { exit, commands, admin } = await startJobs(section);
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

  test.each(JOBS)(
    'of %s compare a first merge request with main, and never take it for the default branch',
    async (section) => {
      const { admin, exit, branches } = await startJobs(section);
      expect(await exit({ ref: 'feature', rules: ['a'] })).toBe(1);
      expect(await exit({ ref: 'feature', rules: ['a'] })).toBe(1);
      expect(await branches()).toEqual(['feature']);
      expect((await admin.ok('listFindings', {})).data).toEqual([]);
      await exit({ ref: 'main', rules: ['a'] });
      expect(await exit({ ref: 'feature', rules: ['a'] })).toBe(0);
    },
  );

  test.each(JOBS)(
    'of %s keep the main branch of a fork apart from main, and pass without a key only there',
    async (section) => {
      const { admin, exit, branches } = await startJobs(section);
      await exit({ ref: 'main', rules: ['a'] });
      const job = { ref: 'main', rules: ['a', 'b'] };
      expect(await exit({ ...job, isFork: true })).toBe(1);
      expect(await branches()).toEqual(['main', expect.stringMatching(/^(pull|merge-requests)\/7$/)]);
      expect((await admin.ok('listFindings', {})).data).toHaveLength(1);
      expect(await exit({ ...job, isFork: true, environment: { EXPOSURE_KEY: '' } })).toBe(0);
      expect(await exit({ ...job, environment: { EXPOSURE_KEY: '' } })).not.toBe(0);
    },
  );

  test.each(JOBS)('of %s close nothing of another part of a monorepo', async (section) => {
    const { admin, exit } = await startJobs(section);
    await exit({ ref: 'main', rules: ['a'], environment: { PART: 'apps/api' } });
    await exit({ ref: 'main', rules: ['b'], environment: { PART: 'apps/web' } });
    expect((await admin.ok('listFindings', { query: { status: 'open' } })).data).toHaveLength(2);
  });

  test('end a branch by its repository and name', async () => {
    const { admin, table } = await system.newOrganization();
    const { secret } = await createApiKey(table, { name: 'ci', scopes: ['findings:write'], expiresAt: null });
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
