import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { scanBranch } from '#functions/code/code-branches/scan-branch.ts';
import { scanByPolicy } from '#shared/code/code-scans/by-policy.ts';
import { nextScan, scanTimerWrites } from '#shared/code/code-scans/schedule.ts';
import { type CodeBranch, codeBranches } from '#shared/code/repositories/code-branch.ts';
import { type Repository, repositories, ScanPolicy } from '#shared/code/repositories/repository.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { isConflict } from '#shared/platform/runtime/retry.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { LEASE_SECONDS } from '#shared/scanning/leases/lease.ts';
import { codeScanPlace } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { makeBranch, makeRepository } from '../../../support/repositories.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();
const sha = (n: number) => String(n).repeat(40);

type Scene = { world: World; repository: Repository; branch: CodeBranch; scanners: string[] };

async function newScene(scanPolicy: Partial<Repository['scanPolicy']> = {}): Promise<Scene> {
  const world = newWorld(store.dynamo);
  const policy = { ...ScanPolicy.parse({}), ...scanPolicy };
  const repository = await makeRepository(world.table, 'codehost_a', { scanPolicy: policy });
  const branch = await makeBranch(world.table, repository, { headCommit: sha(0) });
  const link = async () =>
    (await world.link({ taskTypes: ['sast', 'secrets'], supportedTaskTypes: ['sast', 'secrets'] })).id;
  return { world, repository, branch, scanners: [await link(), await link()] };
}

const Step = fc.oneof(
  fc.record({ kind: fc.constantFrom('push' as const, 'propose' as const), commit: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: fc.constant('request' as const),
    commit: fc.integer({ min: 0, max: 3 }),
    types: fc.constantFrom(['sast'], ['secrets'], ['sast', 'secrets']),
  }),
  fc.record({ kind: fc.constantFrom('poll' as const, 'complete' as const, 'fail' as const), by: fc.nat(1) }),
  fc.record({ kind: fc.constantFrom('cancel' as const, 'lose' as const) }),
);
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never;

/** The branch has this head from now on, as `keepBranch` writes it. */
async function push({ world: { table }, branch }: Scene, commit: number): Promise<void> {
  await table.modify(codeBranches, branch.id, () => ({ headCommit: sha(commit) }));
}

const held = async ({ world }: Scene, scanner: string | undefined) =>
  (await world.tasks()).find((task) => task.status === 'running' && task.scanner?.id === scanner)?.id ?? '';

async function take(scene: Scene, clock: ReturnType<typeof stopClock>, step: Step): Promise<unknown> {
  const { world, repository, branch, scanners } = scene;
  const { table } = world;
  const cause = { branchId: branch.id, pullRequest: null };
  switch (step.kind) {
    case 'push':
      await push(scene, step.commit);
      return scanByPolicy(world, { ...cause, cause: 'push', commit: sha(step.commit) });
    case 'propose':
      await push(scene, step.commit);
      return scanByPolicy(world, {
        ...cause,
        cause: 'pull_request',
        pullRequest: 7,
        base: 'next',
        commit: sha(step.commit),
      });
    case 'request': {
      const body = { commit: sha(step.commit), taskTypes: step.types as ['sast'], depth: 'full' as const };
      return scanBranch({ table, body }, { repository, branch });
    }
    case 'poll':
      return world.poll(scanners[step.by] ?? '', { capacity: 1 });
    case 'complete':
    case 'fail': {
      const scanner = scanners[step.by] ?? '';
      const outcome = step.kind === 'fail' ? 'failed' : 'completed';
      const results = [{ taskId: await held(scene, scanner), outcome, error: { code: 'x', message: 'x' } }];
      return world.complete(scanner, results);
    }
    case 'cancel': {
      const [first] = (await world.tasks()).filter(({ status }) => status === 'pending');
      return first && cancelTask(table, first.id).catch((error) => expect(isConflict(error)).toBe(true));
    }
    case 'lose':
      clock.pass(LEASE_SECONDS + 1);
      return world.sweep();
  }
}

const open = (tasks: readonly ScannerTask[]) =>
  tasks.filter(({ status }) => status === 'pending' || status === 'running');
const placesOf = (tasks: readonly ScannerTask[]) =>
  open(tasks).map(({ codeScan, type }) => codeScan && codeScanPlace(codeScan, type));

describe('scans of a branch', () => {
  let clock: ReturnType<typeof stopClock>;
  beforeEach(() => {
    clock = stopClock();
  });

  test('in any order and at the same time leave one open task for a commit and type, and none for a former head of a policy', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(Step, fc.option(Step)), { minLength: 4, maxLength: 14 }), async (steps) => {
        const scene = await newScene({ taskTypes: ['sast', 'secrets'] });
        for (const pair of steps) {
          await Promise.all(pair.map((step) => step && take(scene, clock, step)));
          const tasks = await scene.world.tasks();
          const places = placesOf(tasks);
          expect(places).toHaveLength(new Set(places).size);
        }
        const { world, branch } = scene;
        await push(scene, 9);
        await scanByPolicy(world, { branchId: branch.id, cause: 'push', pullRequest: null, commit: sha(9) });
        const waiting = (await world.tasks()).filter(({ status }) => status === 'pending');
        const former = waiting.filter(({ attempt, codeScan }) => attempt === 0 && codeScan?.commit !== sha(9));
        expect(former.every(({ codeScan }) => codeScan?.cause === 'request')).toBe(true);
        await world.expectExactCounters();
        await expectExact(world.table, [codeBranches, repositories, scannerTasks]);
      }),
      { numRuns: runs(2, 12) },
    ));

  test('that many ask for at once are one, and each is answered with it', async () => {
    const { world, repository, branch } = await newScene();
    const body = { taskTypes: ['sast' as const], depth: 'full' as const };
    const asked = Array.from({ length: 8 }, () => scanBranch({ table: world.table, body }, { repository, branch }));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ resource }) => resource?.id)).size).toBe(1);
    expect(await world.tasks()).toHaveLength(1);
  });

  test('are begun by a schedule at its times, once each, also where the repository cannot be scanned then', async () => {
    const { world, repository, branch } = await newScene({ schedule: 'FREQ=DAILY', taskTypes: ['sast'] });
    const { table } = world;
    const set = { ...repository, scheduledAt: now() };
    const nextScanAt = nextScan(set);
    const batch = table.batch();
    const changes = { scheduledAt: set.scheduledAt, nextScanAt };
    batch.update(repositories, repository, table.changed<Repository, never>(repository, changes));
    batch.write(...scanTimerWrites(table, repository, nextScanAt));
    await batch.commit();
    clock.pass(86_399);
    await world.sweep();
    expect(await world.tasks()).toEqual([]);
    clock.pass(2);
    await world.sweep();
    await world.sweep();
    expect(await world.tasks()).toMatchObject([{ codeScan: { branchId: branch.id, cause: 'schedule' } }]);
    for (const { id } of await world.tasks()) await cancelTask(table, id);
    await table.modify(repositories, repository.id, () => ({ status: 'archived' as const }));
    clock.pass(86_400);
    await world.sweep();
    expect(await world.tasks()).toHaveLength(1);
    await table.modify(repositories, repository.id, () => ({ status: 'active' as const }));
    clock.pass(86_400);
    await world.sweep();
    expect(await world.tasks()).toHaveLength(2);
    await table.modify(repositories, repository.id, () => ({ status: 'deleted' as const }));
    clock.pass(86_400);
    await world.sweep();
    expect((await table.get(repositories, repository.id)).nextScanAt).toBeNull();
  });
});
