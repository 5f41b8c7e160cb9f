import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CampaignLimits } from '#shared/apex/apex-campaign.ts';
import { type ApexTask, noFindings, noUsage } from '#shared/apex/apex-task.ts';
import { decideRun, type RunState } from '#shared/apex/run-rules.ts';
import { inOrder } from '#shared/apex/templates.ts';

const TIME = '2026-01-15T09:30:00.000Z';

const taskOf = (id: string, more: Partial<ApexTask> = {}): RunState['tasks'][number] => ({
  id,
  version: 1,
  createdAt: TIME,
  updatedAt: TIME,
  createdBy: { kind: 'system', id: 'system', name: 'system' },
  engagementId: 'e',
  type: 'reconnaissance',
  title: id,
  applianceId: null,
  priority: 5,
  approval: 'none',
  limits: { maxTokens: null, timeoutSeconds: null },
  zone: null,
  usePublicApex: false,
  campaignId: 'c',
  runId: 'r',
  templateKey: id,
  status: 'pending',
  waitingReason: null,
  released: false,
  approvedBy: null,
  appliance: null,
  attempt: 0,
  maxAttempts: 3,
  progress: null,
  cancelRequestedAt: null,
  leaseExpiresAt: null,
  usage: noUsage,
  findings: noFindings,
  ingestTaskIds: [],
  error: null,
  startedAt: null,
  finishedAt: null,
  ...more,
});

const stateOf = (tasks: RunState['tasks'], more: { plan?: [string, string[]][]; limit?: number } = {}): RunState => ({
  campaign: {
    limits: CampaignLimits.parse({ maxConcurrentTasks: more.limit ?? null }),
    onTaskFailure: 'continue',
  },
  run: {
    status: 'running',
    made: true,
    deadlineAt: null,
    plan: (more.plan ?? tasks.map(({ id }) => [id, []])).map(([taskId, dependsOn]) => ({
      key: taskId,
      taskId,
      dependsOn,
    })),
  },
  tasks,
  time: TIME,
});

const ids = (tasks: RunState['tasks']) => tasks.map(({ id }) => id);

test('what waits for a window goes on waiting while none is open, whatever else the run decides', () => {
  const state = stateOf([taskOf('a', { waitingReason: 'outside_window' }), taskOf('b')]);
  const released = (isOutsideWindow: boolean) => decideRun({ ...state, isOutsideWindow }).release.map(({ id }) => id);
  expect(released(true)).toEqual(['b']);
  expect(released(false)).toEqual(['a', 'b']);
});

test('a limit that was lowered takes back what no appliance has yet, the least urgent first', () => {
  const tasks = [
    taskOf('low', { released: true, priority: 1 }),
    taskOf('high', { released: true, priority: 9 }),
    taskOf('usual', { released: true }),
    taskOf('begun', { status: 'running' }),
  ];
  const held = (limit: number) =>
    decideRun(stateOf(tasks, { limit })).hold.map(({ task: { id }, reason }) => [id, reason]);
  expect(held(4)).toEqual([]);
  expect(held(2)).toEqual([
    ['usual', 'campaign_limit'],
    ['low', 'campaign_limit'],
  ]);
  expect(held(1).map(([id]) => id)).toEqual(['high', 'usual', 'low']);
});

describe('what a run does next', () => {
  test('the most urgent of what is ready begins, and the others say what they wait for', () => {
    const tasks = [
      taskOf('late', { priority: 1 }),
      taskOf('urgent', { priority: 9 }),
      taskOf('gated', { approval: 'required' }),
      taskOf('after'),
    ];
    const plan: [string, string[]][] = [
      ['late', []],
      ['urgent', []],
      ['gated', []],
      ['after', ['urgent']],
    ];
    const decision = decideRun(stateOf(tasks, { plan, limit: 1 }));
    expect(ids(decision.release)).toEqual(['urgent']);
    expect(decision.hold.map(({ task, reason }) => [task.id, reason])).toEqual([
      ['gated', 'approval'],
      ['after', 'dependencies'],
      ['late', 'campaign_limit'],
    ]);
  });

  test('whatever its tasks are, a run is never over its limit, never before its dependencies, and comes to an end', () => {
    const node = fc.record({ dependsOn: fc.array(fc.nat(20), { maxLength: 3 }), fails: fc.boolean() });
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (nodes, limit) => {
        const plan = nodes.map(({ dependsOn }, n): [string, string[]] => [
          `t${n}`,
          n === 0 ? [] : [...new Set(dependsOn.map((other) => `t${other % n}`))],
        ]);
        let tasks = nodes.map((_, n) => taskOf(`t${n}`));
        for (let step = 0; step < 100; step++) {
          const decision = decideRun(stateOf(tasks, { plan, limit }));
          if (decision.end) return;
          tasks = tasks.map((task) => {
            if (decision.cancel.some((one) => one.task.id === task.id))
              return { ...task, status: 'cancelled' as const };
            if (decision.release.some(({ id }) => id === task.id)) return { ...task, status: 'running' as const };
            const held = decision.hold.find((one) => one.task.id === task.id);
            return held ? { ...task, waitingReason: held.reason } : task;
          });
          const running = tasks.filter(({ status }) => status === 'running');
          expect(running.length).toBeLessThanOrEqual(limit);
          for (const { id } of running)
            for (const other of plan.find(([key]) => key === id)?.[1] ?? [])
              expect(tasks.find((task) => task.id === other)?.status).toBe('completed');
          const [first] = running;
          const fails = first && nodes[Number(first.id.slice(1))]?.fails;
          tasks = tasks.map((task) =>
            task.id === first?.id ? { ...task, status: fails ? 'failed' : 'completed' } : task,
          );
        }
        throw new Error('the run does not end');
      }),
    );
  });

  test('a run whose every task was cancelled was cancelled, one without success failed', () => {
    expect(decideRun(stateOf([taskOf('a', { status: 'cancelled' })])).end).toMatchObject({ status: 'cancelled' });
    expect(decideRun(stateOf([taskOf('a', { status: 'failed' })])).end).toMatchObject({ status: 'failed' });
    const mixed = [taskOf('a', { status: 'failed' }), taskOf('b', { status: 'completed' })];
    expect(decideRun(stateOf(mixed)).end).toMatchObject({ status: 'completed', reason: '1 of its tasks failed.' });
  });
});

test('templates come out so that each follows what it depends on, and a circle is named', () => {
  const template = (key: string, ...dependsOn: string[]) => ({ key, dependsOn });
  const ordered = inOrder([template('d', 'b', 'c'), template('b', 'a'), template('c', 'a'), template('a')]);
  expect(ordered.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd']);
  expect(() => inOrder([template('a', 'b'), template('b', 'c'), template('c', 'b')])).toThrow(/a, b, c wait/);
});
