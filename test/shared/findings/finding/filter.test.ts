import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type FindingQuery, findingFilters, findingQuery, findingSelection } from '#shared/findings/finding/filter.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';

const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;
const page = { paginateFrom: 0, paginateSize: 25 };
const query = (more: Partial<FindingQuery>) => findingQuery({ ...page, ...more }, caller);
const refusal = (path: string) =>
  expect.objectContaining({ code: 'validation_failed', details: [{ path, message: expect.any(String) }] });

beforeEach(() => setClock(() => Date.parse('2026-03-10T00:00:10Z')));
afterEach(() => setClock());

describe('an order of findings', () => {
  test('by date of writing needs no status, and takes any', () => {
    const closed = { status: ['fixed'] as const, severity: ['high'] as const };
    const selection = { parent: { engagement: undefined }, filter: { status: 'fixed', severity: 'high' } };
    for (const sort of [undefined, 'newest'] as const)
      expect(query({ ...(closed as object), ...(sort && { sort }) })).toEqual({ ...page, ...selection });
    expect(query({ ...(closed as object), sort: 'oldest' })).toEqual({ ...page, ...selection, sort: 'seen' });
  });

  test.each([
    ['priority', 'priority'],
    ['dueAt', 'due'],
    ['epss', 'epss'],
  ] as const)('%s is of the open ones, unless one of their statuses is named', (sort, stored) => {
    expect(query({ sort })).toMatchObject({ ...page, where: { status: ['open', 'in_progress'] }, sort: stored });
    expect(query({ sort, status: ['in_progress'], tool: 'zap' })).toMatchObject({
      where: { status: ['in_progress'], tool: 'zap' },
    });
    expect(() => query({ sort, status: ['open', 'fixed'] })).toThrow(refusal('status'));
  });
});

describe('a filter of findings', () => {
  const select = (filter: Parameters<typeof findingSelection>[0]) => findingSelection(filter, caller);

  test('asks for every value that it names, as the index has it', () => {
    const [assetId, applicationId, taskId] = [newId(), newId(), newId()];
    const [remediationId, suppressedBy, engagementId] = [newId(), newId(), newId()];
    const places = { assetId, applicationId, taskId, remediationId, suppressedBy, engagementId };
    const told = { tool: 'zap', ruleId: 'r', tag: 'web', weakness: 'injection', kev: true } as const;
    const selection = select({
      ...({ ...places, ...told } as object),
      cve: 'cve-2021-44228',
      cwe: 'cwe-89',
      ref: 'refs/heads/main',
    });
    expect(selection).toEqual({
      parent: { engagement: engagementId },
      filter: { status: undefined, severity: undefined },
      where: {
        tool: 'zap',
        ruleId: 'r',
        tag: 'web',
        weakness: 'injection',
        kev: 'true',
        asset: assetId,
        application: applicationId,
        task: taskId,
        remediationId,
        suppressedBy,
        cve: 'CVE-2021-44228',
        cwe: 'CWE-89',
        ref: 'main',
      },
    });
  });

  test('without a value asks for nothing', () => {
    expect(select({})).toEqual({
      parent: { engagement: undefined },
      filter: { status: undefined, severity: undefined },
    });
  });

  test('of several statuses or severities asks for each of them', () => {
    expect(select({ status: ['open', 'fixed'], severity: ['high', 'low'] })).toMatchObject({
      filter: { status: undefined, severity: undefined },
      where: { status: ['open', 'fixed'], severity: ['high', 'low'] },
    });
    expect(select({ status: ['open'], severity: ['low'] })).not.toHaveProperty('where');
  });

  test.each([
    ['me', 'ann'],
    ['none', null],
    ['bea', 'bea'],
  ])('of the assignee %s asks for %s', (assigneeId, wanted) => {
    expect(select({ assigneeId }).where).toEqual({ assigneeId: wanted });
  });

  test('by words asks for the last part of each path and address', () => {
    expect(select({ search: 'acme/shop "src/api/app.py:12"' }).search).toBe('shop "app.py"');
    expect(select({ search: '' })).toMatchObject({ search: '' });
  });
});

describe('a range of days', () => {
  const between = (filter: Parameters<typeof findingSelection>[0]) => findingSelection(filter, caller).between;

  test('ends with the earliest of its ends', () => {
    expect(between({ dueTo: '2026-03-01' })).toEqual({ due: { to: '2026-03-01' } });
    expect(between({ dueBefore: '2026-03-01' })).toEqual({ due: { to: '2026-02-28' } });
    expect(between({ overdue: true })).toEqual({ due: { to: '2026-03-09' } });
    expect(between({ dueTo: '2026-03-08', dueBefore: '2026-03-08', overdue: true })).toEqual({
      due: { to: '2026-03-07' },
    });
    expect(between({ dueFrom: '2026-03-09', overdue: true })).toEqual({
      due: { from: '2026-03-09', to: '2026-03-09' },
    });
  });

  test('of one day has this day, and one that begins a day later is refused by its name', () => {
    const day = '2026-03-01';
    expect(between({ firstSeenFrom: day, firstSeenTo: day })).toEqual({ seen: { from: day, to: day } });
    expect(() => between({ firstSeenFrom: '2026-03-02', firstSeenTo: day })).toThrow(refusal('firstSeenFrom'));
    expect(() => between({ dueFrom: '2026-03-02', dueTo: day })).toThrow(refusal('dueFrom'));
  });

  test('of changes begins 35 days ago at most', () => {
    expect(between({ updatedSince: '2026-02-03' })).toEqual({ changed: { from: '2026-02-03' } });
    expect(() => between({ updatedSince: '2026-02-02' })).toThrow(refusal('updatedSince'));
  });

  test('of the chance of exploitation begins with it, and a chance of none is one too', () => {
    expect(between({ epssFrom: 0.25 })).toEqual({ epss: { to: '075' } });
    expect(between({ epssFrom: 0 })).toEqual({ epss: { to: '100' } });
    expect(between({})).toBeUndefined();
  });
});

test.each([
  ['0', 0],
  ['1', 1],
  ['0.25', 0.25],
  ['1.01', undefined],
  ['-0.01', undefined],
  ['0.255', undefined],
  ['', undefined],
  [' ', undefined],
])('a chance of exploitation that is sent as "%s" is read as %s', (text, chance) => {
  const read = z.object({ epssFrom: findingFilters.epssFrom }).safeParse({ epssFrom: text });
  expect(read.success ? read.data.epssFrom : undefined).toBe(chance);
});
