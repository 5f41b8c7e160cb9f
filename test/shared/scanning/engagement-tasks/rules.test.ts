import { describe, expect, test } from 'vitest';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import {
  assertMayDecide,
  assertRetest,
  assertSecondPerson,
  checkPlan,
  needsDecision,
} from '#shared/scanning/engagement-tasks/rules.ts';
import { Engagement } from '#shared/scanning/engagements/engagement.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

type Who = 'viewer' | 'analyst' | 'admin' | 'platform_owner' | 'API key';
const callerOf = (who: Who, id = 'u'): Caller => {
  const person = { id, name: id, organizationId: 'o' };
  return who === 'API key' ? { ...person, kind: 'api_key', scopes: [] } : { ...person, kind: 'user', role: who };
};

const harmless = {
  publicScannerGroupId: null,
  rulesOfEngagement: { allowExploitation: false, notes: null },
  beyond: [],
};
const risks = [
  ['public scanners', { ...harmless, publicScannerGroupId: newId() }],
  ['exploitation', { ...harmless, rulesOfEngagement: { allowExploitation: true, notes: null } }],
  ['credentials outside of their targets', { ...harmless, beyond: [newId()] }],
] as const;

describe('another person decides', () => {
  test.each<[Who, boolean]>([
    ['viewer', true],
    ['platform_owner', true],
    ['analyst', false],
    ['admin', false],
    ['API key', false],
  ])('about an engagement of a caller that is %s: %s', (who, waits) => {
    expect(needsDecision(callerOf(who), harmless as never)).toBe(waits);
  });

  test.each(risks)('about %s, for any requester, and only by an administrator', (_, asked) => {
    for (const who of ['analyst', 'admin', 'API key'] as const)
      expect(needsDecision(callerOf(who), asked as never)).toBe(true);
    for (const who of ['analyst', 'platform_owner', 'API key'] as const)
      expect(() => assertMayDecide(callerOf(who), asked as never)).toThrow(
        expect.objectContaining({ code: 'insufficient_scope' }),
      );
    expect(() => assertMayDecide(callerOf('admin'), asked as never)).not.toThrow();
  });

  test('who may be an analyst if nothing of it is a risk', () => {
    expect(() => assertMayDecide(callerOf('analyst'), harmless as never)).not.toThrow();
  });
});

test('the planner of an exploitation does not approve it; without a planner, the requester does not', async () => {
  const table = newOrganization(store.dynamo);
  const approve = (by: string, more: object) =>
    assertSecondPerson(table, callerOf('admin', by), {
      requestedBy: { id: 'requester', name: 'r' },
      rulesOfEngagement: { allowExploitation: true },
      ...more,
    } as never);
  const plannedBy = { id: 'planner', name: 'p' };
  for (const [by, more] of [
    ['planner', { plannedBy }],
    ['requester', {}],
  ] as const)
    await expect(approve(by, more)).rejects.toMatchObject({ code: 'conflict' });
  await approve('requester', { plannedBy });
  await approve('planner', {});
  await approve('planner', { plannedBy, rulesOfEngagement: { allowExploitation: false } });
});

describe('a plan', () => {
  const base = Engagement.partial().parse({
    title: 'Test',
    kind: 'vulnerability_scan',
    taskTypes: ['network'],
    targets: [{ type: 'host', value: '10.0.0.1', zone: null }],
  }) as Engagement;
  const problems = (more: object): string[] => {
    try {
      checkPlan({ ...base, ...more } as never);
      return [];
    } catch (error) {
      return Object(error).details.map(({ path }: { path: string }) => path);
    }
  };
  const window = { days: ['mon'], from: '09:00', to: '24:00', timeZone: 'UTC' };
  const weekly = { startAt: null, recurrence: 'FREQ=WEEKLY', timeZone: 'UTC' };
  const ofSize = (bytes: number) => {
    const empty = JSON.stringify({ network: { ports: '' } }).length;
    return { network: { ports: 'x'.repeat(bytes - empty) } };
  };

  test.each<[string, object, string[]]>([
    ['of tasks alone has no problem', {}, []],
    ['of tasks may recur', { schedule: weekly }, []],
    ['of people cannot recur', { taskTypes: [], schedule: weekly }, ['schedule.recurrence']],
    ['of people may have no schedule', { taskTypes: [] }, []],
    ['with a window until the end of the day', { windows: [window] }, []],
    ['with a window from the end of the day', { windows: [window, { ...window, from: '24:00' }] }, ['windows.1.from']],
    ['with a group of its own', { scannerGroupId: newId() }, []],
    ['with a pool', { publicScannerGroupId: newId() }, []],
    ['with both', { scannerGroupId: newId(), publicScannerGroupId: newId() }, ['publicScannerGroupId']],
    ['with as many parameters as a task may carry', { parameters: ofSize(16 * 1024) }, []],
    ['with a byte more', { parameters: ofSize(16 * 1024 + 1) }, ['parameters']],
    ['that tests again', { kind: 'retest', retestOf: { engagementId: newId(), findingIds: [] } }, []],
    ['of another kind that tests again', { retestOf: { engagementId: newId(), findingIds: [] } }, ['retestOf']],
    ['of a test again of nothing', { kind: 'retest' }, []],
    ['that exploits', { parameters: { network: { scripts: 'exploit' } } }, ['parameters.network.scripts']],
    [
      'that may exploit',
      { parameters: { network: { scripts: 'exploit' } }, rulesOfEngagement: { allowExploitation: true, notes: null } },
      [],
    ],
    ['with a rule that never comes', { schedule: { ...weekly, recurrence: 'FREQ=NEVER' } }, ['schedule.recurrence']],
    [
      'with several problems names all of them',
      { taskTypes: [], schedule: weekly, windows: [{ ...window, from: '24:00' }] },
      ['schedule.recurrence', 'windows.0.from'],
    ],
  ])('%s', (_, more, paths) => {
    expect(problems(more)).toEqual(paths);
  });
});

describe('the schedule of a changed engagement', () => {
  const LONG_AGO = '2020-01-01T10:00:00.000Z';
  const twice = (startAt: string | null) => ({ startAt, recurrence: 'FREQ=DAILY;COUNT=2', timeZone: 'UTC' });
  const once = { startAt: null, recurrence: null, timeZone: 'UTC' };
  const planOf = (schedule: object) => Engagement.partial().parse({ title: 'Test', taskTypes: ['network'], schedule });

  /** The problem with a schedule, of an engagement that was made long ago and had so many runs, if there is one. */
  function problemOf(schedule: object, before?: { schedule: object; runs: number }): string | undefined {
    const current = before && { ...planOf(before.schedule), runs: before.runs, createdAt: LONG_AGO };
    try {
      checkPlan(planOf(schedule) as never, current as never);
      return undefined;
    } catch (error) {
      return Object(error).details[0].message;
    }
  }

  test('is looked at when it is another one, and may be over when it is the same', () => {
    expect(problemOf(twice(LONG_AGO))).toBe('never comes again');
    expect(problemOf(twice(LONG_AGO), { schedule: once, runs: 0 })).toBe('never comes again');
    expect(problemOf(twice(LONG_AGO), { schedule: twice(LONG_AGO), runs: 2 })).toBeUndefined();
  });

  test('counts from now before the first run, and from the creation after it, unless it says from when', () => {
    expect(problemOf(twice(null))).toBeUndefined();
    expect(problemOf(twice(null), { schedule: once, runs: 0 })).toBeUndefined();
    expect(problemOf(twice(null), { schedule: once, runs: 1 })).toBe('never comes again: give schedule.startAt too');
    expect(problemOf(twice('2999-01-01T10:00:00.000Z'), { schedule: once, runs: 1 })).toBeUndefined();
    const unknown = { ...twice(null), recurrence: 'FREQ=NEVER' };
    expect(problemOf(unknown)).toMatch(/^must have FREQ, one of [A-Z, ]+$/);
  });
});

test('a retest names an existing engagement, or none', async () => {
  const { table, engage } = newWorld(store.dynamo);
  const of = (engagementId: string) => assertRetest(table, { retestOf: { engagementId, findingIds: [] } });
  await assertRetest(table, { retestOf: null });
  await of((await engage(['10.0.0.1'])).id);
  await expect(of(newId())).rejects.toMatchObject({ details: [{ path: 'retestOf.engagementId' }] });
});
