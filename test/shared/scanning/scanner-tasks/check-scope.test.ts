import { describe, expect, test } from 'vitest';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { assertSpelled, checkScope } from '#shared/scanning/scanner-tasks/check-scope.ts';
import type { PlanScope } from '#shared/scanning/scanner-tasks/plan.ts';

const of = (type: ScanTarget['type'], value: string): ScanTarget => ({ type, value, zone: null });
const host = (value: string) => of('host', value);
const hosts = (count: number) => Array.from({ length: count }, (_, n) => host(`10.${n >> 8}.${n & 255}.1`));
const scope = (more: Partial<PlanScope>): PlanScope => ({
  targets: [host('10.0.0.1')],
  exclusions: [],
  taskTypes: ['network'],
  ...more,
});

/** The paths of the problems of a scope; none: it is accepted. */
function problems(more: Partial<PlanScope>, check: (one: PlanScope) => unknown = checkScope): string[] {
  try {
    check(scope(more));
    return [];
  } catch (error) {
    return Object(error).details.map(({ path }: { path: string }) => path);
  }
}

test('a scope is kept in the form in which it is compared, and the rest of the engagement with it', () => {
  const wanted = { ...scope({ targets: [host('WWW.Example.com.')], exclusions: [host('10.0.0.9')] }), title: 'x' };
  expect(checkScope(wanted)).toEqual({ ...wanted, targets: [host('www.example.com')] });
});

describe('a scope is accepted up to', () => {
  test.each<[string, Partial<PlanScope>, Partial<PlanScope>, string]>([
    ['1000 targets', { targets: hosts(1000) }, { targets: hosts(1001) }, 'targets'],
    [
      '1000 exclusions',
      { targets: [host('192.0.2.1')], exclusions: hosts(1000) },
      { targets: [host('192.0.2.1')], exclusions: hosts(1001) },
      'exclusions',
    ],
    [
      '65,536 addresses',
      { targets: [of('cidr', '10.0.0.0/16')] },
      { targets: [of('cidr', '10.0.0.0/16'), host('10.1.0.0')] },
      'targets',
    ],
    [
      '65,536 tasks',
      { targets: [of('cidr', '10.0.0.0/16')], taskTypes: ['web'] },
      { targets: [of('cidr', '10.0.0.0/16'), host('www.example.com')], taskTypes: ['web'] },
      'targets',
    ],
    [
      '100 exclusions within a target',
      { targets: [of('domain', 'example.com')], exclusions: within(100) },
      { targets: [of('domain', 'example.com')], exclusions: within(101) },
      'exclusions',
    ],
  ])('%s', (_, fits, tooMuch, path) => {
    expect([problems(fits), problems(tooMuch)]).toEqual([[], [path]]);
  });
});

function within(count: number): ScanTarget[] {
  return Array.from({ length: count }, (_, n) => host(`h${n}.example.com`));
}

describe('a scope is refused', () => {
  test.each<[string, Partial<PlanScope>, string[]]>([
    [
      'with a target that no task works on',
      { targets: [host('10.0.0.1'), of('repository', 'a/b')] },
      ['targets.1.type'],
    ],
    ['with a task that has no target', { taskTypes: ['network', 'sast'] }, ['taskTypes.1']],
    ['that excludes all of its targets', { exclusions: [of('cidr', '10.0.0.0/24')] }, ['exclusions']],
    [
      'with all of its problems at once',
      {
        targets: [host('a b'), host('10.0.0.1'), of('repository', 'a/b')],
        exclusions: [host('-x')],
        taskTypes: ['network', 'container'],
      },
      ['targets.0.value', 'exclusions.0.value', 'targets.2.type', 'taskTypes.1'],
    ],
  ])('%s', (_, more, paths) => {
    expect(problems(more)).toEqual(paths);
  });

  test('not for an application beside its hosts, nor for what people test without tasks', () => {
    expect(
      problems({ targets: [host('10.0.0.1'), of('application', '01900000-0000-7000-8000-000000000000')] }),
    ).toEqual([]);
    expect(problems({ targets: [of('repository', 'a/b')], taskTypes: [] })).toEqual([]);
    expect(problems({ exclusions: [of('cidr', '10.0.0.0/24')], taskTypes: [] })).toEqual([]);
  });
});

test('a stored scope is refused only for what is spelled wrongly', () => {
  expect(problems({ targets: [host('10.0.0.1-9'), host('10.0.0.1')], taskTypes: ['sast'] }, assertSpelled)).toEqual([
    'targets.0.value',
  ]);
  expect(problems({ taskTypes: ['sast'] }, assertSpelled)).toEqual([]);
});
