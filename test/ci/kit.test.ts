import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CiSystem, type Job, KIT, runJob, SYSTEMS, yamlOf } from '../support/ci-kit.ts';
import { startCli } from '../support/cli.ts';
import { startServer } from '../support/code-hosts/server.ts';
import { startJobIssuer } from '../support/job-issuer.ts';
import { toolReport } from '../support/shop.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** The kit for CI: each of its scripts, with the variables of its system, against the running service. */
const system = startSystem();
const cli = startCli();
beforeAll(() => symlinkSync(KIT, join(cli.home, 'ci')));

type Inputs = Record<string, string>;

async function keyOf({ admin }: TestOrganization, repository: string): Promise<string> {
  const boundTo = { repositories: [repository] };
  return (await admin.ok('createApiKey', { body: { name: 'ci', scopes: ['imports:write'], boundTo } })).secret;
}

async function startJobs(ci: CiSystem) {
  const organization = await system.newOrganization();
  const key = await keyOf(organization, ci.repository);
  const run = (job: Job & { rules: string[] }, more: Inputs = {}, env: Inputs = {}) => {
    writeFileSync(join(cli.home, 'report.sarif'), toolReport(job.rules));
    const inputs = { url: system.baseUrl, key, reports: 'report.sarif', ...more };
    const known = { ...ci.env(job, inputs), EXPOSURE_CLI: `${process.execPath} ${cli.bundle}`, ...env };
    return runJob(ci.script, { cwd: cli.home, env: known });
  };
  const branches = async () => (await organization.admin.ok('listBranches', {})).data.map(({ name }) => name).sort();
  return { ...organization, key, run, branches };
}

const REQUEST: Record<string, string> = { gitlab: 'merge-requests/7', bitbucket: 'pull-requests/7' };
const FORKS = Object.entries(SYSTEMS).filter(([name]) => !['bitbucket', 'plain'].includes(name));

describe('a job', () => {
  test.each(Object.entries(SYSTEMS))('of %s fails for what its branch adds, and only for that', async (name, ci) => {
    const { run, branches } = await startJobs(ci);
    expect(await run({ ref: 'main', rules: ['a'], build: '1' })).toMatchObject({ exit: 1 });
    expect(await run({ ref: 'main', rules: ['a'], build: '2', commit: 'def' })).toMatchObject({ exit: 0 });
    expect(await run({ ref: 'feature', request: '7', rules: ['a', 'b'], build: '3' })).toMatchObject({ exit: 1 });
    expect(await run({ ref: 'feature', request: '7', rules: ['a'], build: '4', commit: 'ghi' })).toMatchObject({
      exit: 0,
    });
    expect(await branches()).toEqual(['main', REQUEST[name] ?? 'pull/7']);
    const wrong = await run({ ref: 'main', rules: [], build: '5' }, { key: 'wrong' });
    expect(wrong.exit).toBe(3);
  });

  test.each(Object.entries(SYSTEMS))('of %s never takes a first pull request for the default branch', async (_, ci) => {
    const { run, admin } = await startJobs(ci);
    expect(await run({ ref: 'feature', request: '7', rules: ['a'] })).toMatchObject({ exit: 1 });
    expect((await admin.ok('listBranches', {})).data).toMatchObject([{ isDefault: false }]);
    expect((await admin.ok('listFindings', {})).data).toEqual([]);
  });

  test.each(FORKS)('of %s passes without a key for a fork, and for nothing else', async (_, ci) => {
    const { run } = await startJobs(ci);
    const none = { key: '' };
    const fork = await run({ ref: 'main', request: '7', isFork: true, rules: ['a'] }, none);
    expect(fork).toMatchObject({ exit: 0, output: expect.stringContaining('No gate') });
    expect(await run({ ref: 'main', request: '7', rules: ['a'] }, none)).toMatchObject({ exit: 3 });
    const bot = await run({ ref: 'main', request: '7', rules: ['a'] }, none, { GITHUB_ACTOR: 'dependabot[bot]' });
    expect(bot.exit).toBe(ci === SYSTEMS.github ? 0 : 3);
  });
});

describe('the action', () => {
  const ci = SYSTEMS.github;

  test('judges the parts of a monorepo that other jobs imported, and waits for none that never comes', async () => {
    const { run, admin } = await startJobs(ci);
    for (const [part, rules] of Object.entries({ 'apps/api': ['a'], 'apps/web': ['b'] }))
      expect(await run({ ref: 'main', rules }, { command: 'import', part })).toMatchObject({ exit: 0 });
    expect((await admin.ok('listFindings', { query: { status: 'open' } })).data).toHaveLength(2);
    expect(await run({ ref: 'main', rules: [] }, { command: 'judge', expected: '2' })).toMatchObject({ exit: 1 });
    expect(
      await run({ ref: 'main', rules: [] }, { command: 'judge', expected: '2', 'fail-on': 'critical' }),
    ).toMatchObject({ exit: 0 });
  });

  test('ends a deleted branch, and the branch of a merge queue after its build', async () => {
    const { run, admin, branches } = await startJobs(ci);
    await run({ ref: 'main', rules: ['a'] });
    await run({ ref: 'feature', rules: ['a', 'b'] }, { command: 'import' });
    const ended = await run({ ref: 'feature', event: 'delete', rules: [] }, { command: 'end' });
    expect(ended).toMatchObject({ exit: 0, output: expect.stringContaining('feature has ended') });
    expect(await run({ ref: 'unknown', event: 'delete', rules: [] }, { command: 'end' })).toMatchObject({ exit: 0 });
    expect(await run({ ref: 'main', event: 'delete', rules: [] }, { command: 'end' })).toMatchObject({ exit: 2 });
    const queue = { ref: 'gh-readonly-queue/main/pr-7-abc', event: 'merge_group', rules: ['a'], build: '9' };
    expect(await run(queue)).toMatchObject({ exit: 0, output: expect.stringContaining('has ended') });
    expect(await branches()).toContain(queue.ref);
    expect((await admin.ok('listFindings', { query: { status: 'open' } })).data).toHaveLength(1);
  });

  test('signs in with the identity of the job, once for each job', async () => {
    const issuer = await startJobIssuer(system.connections.settings.TOKEN_ISSUER);
    const claims = { event_name: 'pull_request', ref: 'refs/pull/7/merge', base_ref: 'main' };
    const runner = await startServer(async () => ({ body: { count: 1, value: await issuer.github(claims) } }));
    try {
      const { run, admin, branches, organizationId: organization } = await startJobs(ci);
      const account = { kind: 'codehost_a', name: 'Hub', account: 'acme', baseUrl: issuer.url };
      await admin.ok('createIntegration', { body: account as never });
      await admin.ok('createTrustedPublisher', {
        body: { kind: 'codehost_a', baseUrl: issuer.url, repository: 'acme/shop' },
      });
      const job = { ref: 'feature', request: '7', rules: ['a'] };
      const env = {
        GITHUB_SERVER_URL: issuer.url,
        ACTIONS_ID_TOKEN_REQUEST_URL: `${runner.url}/token?api-version=2`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the runner',
        EXPOSURE_AUDIENCE: system.connections.settings.TOKEN_ISSUER,
      };
      const first = await run(job, { key: '', organization }, env);
      expect(first).toMatchObject({ exit: 1 });
      expect(await branches()).toEqual(['pull/7']);
      expect(runner.asked[0]?.headers.authorization).toBe('Bearer of the runner');
      const stranger = await run(job, { key: '', organization }, { ...env, GITHUB_REPOSITORY: 'acme/other' });
      expect(stranger.exit).not.toBe(0);
      expect(first.output).not.toContain('eyJ');
    } finally {
      await Promise.all([issuer.stop(), runner.stop()]);
    }
  });
});

test('the files have the parts that their systems ask for', () => {
  const action = yamlOf('github/action.yml');
  expect(action).toMatchObject({
    name: expect.any(String),
    description: expect.any(String),
    runs: { using: 'composite' },
  });
  for (const step of action.runs.steps) expect(step).toMatchObject({ shell: 'sh', run: expect.any(String) });
  const workflow = yamlOf('github/example.yml');
  expect(workflow).toMatchObject({ permissions: { 'id-token': 'write' }, concurrency: { group: expect.any(String) } });
  const used = Object.values<{ steps: { uses?: string; with?: object }[] }>(workflow.jobs).flatMap(({ steps }) =>
    steps.flatMap((step) => Object.keys(step.uses?.includes('exposure') ? (step.with ?? {}) : {})),
  );
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(used));
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request', 'merge_group', 'delete']);
  expect(yamlOf('samples/bitbucket-pipelines.yml')).toHaveProperty('pipelines.branches.main');
  expect(yamlOf('samples/azure-pipelines.yml')).toMatchObject({ pr: { branches: { include: ['main'] } } });
});
