import { describe, expect, test } from 'vitest';
import { soon, startShopIn, toolReport } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

/** An organization whose CI jobs send reports about a repository and ask whether they pass. */
async function startJobs() {
  const shop = await startShopIn(system);
  const { admin, scan } = shop;
  await scan('main', ['old'], { commit: 'before' });
  /** The answer of the gate to a report of the default branch, or of another. */
  const job = async (rules: readonly string[], more: Parameters<typeof scan>[2] & { ref?: string } = {}) => {
    const { gate, taskId } = await scan(more.ref ?? 'main', rules, { gate: { failOn: 'high' }, ...more });
    return { passed: gate?.passed, fresh: gate?.findings.map(({ ruleId }) => ruleId).sort(), taskId };
  };
  const judge = (taskId: string) => admin.ok('judgeImport', { params: { taskId }, query: { failOn: 'high' } });
  return { ...shop, job, judge };
}

const red = (...fresh: string[]) => expect.objectContaining({ passed: false, fresh });
const green = expect.objectContaining({ passed: true });

describe('a retry of a red job', () => {
  test('is red: what a commit brought stays new for the commit, and is known for the next', async () => {
    const { job, judge } = await startJobs();
    const first = await job(['old', 'a'], { commit: 'one' });
    expect(first).toEqual(red('a'));
    const again = await job(['old', 'a'], { commit: 'one' });
    expect(again).toEqual(red('a'));
    for (const { taskId } of [first, again]) expect(await judge(taskId)).toMatchObject({ passed: false });
    expect(await job(['old', 'a'], { commit: 'two' })).toEqual(green);
    expect(await job(['old', 'a', 'b'], { commit: 'three' })).toEqual(red('b'));
    // the job of an earlier commit runs again after later commits
    expect(await job(['old', 'a'], { commit: 'one' })).toEqual(red('a'));
  });

  test('is red with a report that has more or less, and in another spelling of the repository and the branch', async () => {
    const { job } = await startJobs();
    expect(await job(['old', 'a', 'b'], { commit: 'one' })).toEqual(red('a', 'b'));
    expect(await job(['old', 'a', 'c'], { commit: 'one', repository: 'git@git.example.com:acme/shop.git' })).toEqual(
      red('a', 'c'),
    );
    expect(await job(['old', 'a', 'b'], { commit: 'one', ref: 'refs/heads/main' })).toEqual(red('a', 'b'));
    expect(await job(['old', 'a'], { commit: 'ONE ', ref: 'main' })).toEqual(red('a'));
  });

  test('is red in another format, scan type or part, and another tool of the commit adds what it found', async () => {
    const { job } = await startJobs();
    expect(await job(['old', 'a'], { commit: 'one', scanType: 'deep' })).toEqual(red('a'));
    expect(await job(['old', 'a'], { commit: 'one', scanType: 'quick' })).toEqual(red('a'));
    const other = toolReport(['a']).replace('"example"', '"another"');
    expect(await job([], { commit: 'one', content: other })).toEqual(red('a'));
    expect(await job(['old', 'a'], { commit: 'one', part: 'apps/api' })).toEqual(red('a'));
  });

  test('is red without a commit, as long as the report has the same findings', async () => {
    const { job } = await startJobs();
    expect(await job(['old', 'a'])).toEqual(red('a'));
    expect(await job(['a', 'old'])).toEqual(red('a'));
    expect(await job(['old', 'a', 'b'])).toEqual(red('b'));
    expect(await job(['old', 'a', 'b'])).toEqual(red('b'));
  });

  test('is red where no repository is the target, and where no target is named', async () => {
    const { job } = await startJobs();
    const site = { repository: undefined, target: 'https://shop.example.com', ref: undefined };
    const nothing = { repository: undefined, ref: undefined };
    for (const at of [site, nothing]) {
      expect(await job(['a'], { ...at, commit: 'one' })).toEqual(red('a'));
      expect(await job(['a'], { ...at, commit: 'one' })).toEqual(red('a'));
      expect(await job(['a'], { ...at, commit: 'two' })).toEqual(green);
    }
  });

  test('is red for a finding that returned with the commit', async () => {
    const { job } = await startJobs();
    await job(['old', 'a'], { commit: 'one' });
    await job(['old'], { commit: 'two' });
    expect(await job(['old', 'a'], { commit: 'three' })).toEqual(red('a'));
    expect(await job(['old', 'a'], { commit: 'three' })).toEqual(red('a'));
    expect(await job(['old', 'a'], { commit: 'four' })).toEqual(green);
  });

  test('is red for a commit that brought a branch to the default one', async () => {
    const { job } = await startJobs();
    expect(await job(['old', 'a'], { commit: 'one', ref: 'feature' })).toEqual(red('a'));
    expect(await job(['old', 'a'], { commit: 'one', ref: 'feature' })).toEqual(red('a'));
    expect(await job(['old', 'a'], { commit: 'merge' })).toEqual(red('a'));
    expect(await job(['old', 'a'], { commit: 'merge' })).toEqual(red('a'));
  });

  test('is red after an import of the commit was undone', async () => {
    const { admin, job } = await startJobs();
    const first = await job(['old', 'a'], { commit: 'one' });
    const again = await job(['old', 'a'], { commit: 'one' });
    for (const { taskId } of [first, again]) {
      const params = { taskId };
      expect(await admin.ok('undoImport', { params, query: soon })).toMatchObject({ status: 'succeeded' });
      expect(await job(['old', 'a'], { commit: 'one' })).toEqual(red('a'));
    }
  });

  test('is green once a person triaged what the commit brought', async () => {
    const { admin, job, listed } = await startJobs();
    await job(['old', 'a'], { commit: 'one' });
    const { data } = await admin.ok('listFindings', {});
    const { id = '' } = data.find(({ ruleId }) => ruleId === 'a') ?? {};
    await admin.ok('updateFinding', { params: { id }, body: { status: 'false_positive', reason: 'a fixture' } });
    expect(await listed()).toContain('a false_positive');
    expect(await job(['old', 'a'], { commit: 'one' })).toEqual(green);
  });
});

describe('the first report on a repository', () => {
  test('of a merge request that names no base is red twice, makes no default branch, and says what is missing', async () => {
    const { admin, scan, branch, listed } = await startShopIn(system);
    const gate = { failOn: 'high' } as const;
    for (let n = 0; n < 2; n++) {
      const { warnings, ...answer } = await scan('feature', ['a'], { commit: 'one', gate });
      expect(answer.gate).toMatchObject({ passed: false, baseRef: null });
      expect(warnings).toEqual([expect.stringContaining('send a report of the default branch')]);
    }
    expect(await branch('feature')).toMatchObject({ isDefault: false });
    expect(await listed()).toEqual([]);
    expect(await admin.ok('getFindingsSummary', {})).toMatchObject({ total: 0 });
    expect((await scan('production-eu', ['a'], { baseRef: 'production-eu' })).warnings).toBeUndefined();
    expect(await listed()).toEqual(['a open']);
    const known = await scan('feature', ['a'], { commit: 'one', gate });
    expect(known).toMatchObject({ gate: { passed: true, baseRef: 'production-eu' } });
    expect(known.warnings).toBeUndefined();
  });
});
