import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findingUpdateRoutes } from '#functions/findings/finding-updates/routes.ts';
import { findingRoutes } from '#functions/findings/findings/routes.ts';
import { BulkChanges } from '#shared/findings/bulk/findings.ts';
import { findingFilters } from '#shared/findings/finding/filter.ts';
import { Gate } from '#shared/findings/gate/gate.ts';
import { SlaPolicies } from '#shared/findings/sla/sla-policies.ts';
import { approverId } from '#shared/findings/triage/people.ts';
import { newId } from '#shared/platform/runtime/ids.ts';

const filters = z.object(findingFilters);
const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;
const text = (length: number) => 'x'.repeat(length);

/** A schema takes these values of a field, and not the next ones. */
const lengths = (schema: z.ZodType, at: (value: string) => unknown, most: number): boolean[] =>
  [0, 1, most, most + 1].map((length) => takes(schema, at(text(length))));
const BETWEEN = [false, true, true, false];

describe('a text that callers send is refused where it is empty or too long, and taken up to its limit', () => {
  test.each([
    ['tool', 120],
    ['ruleId', 300],
    ['cve', 40],
    ['cwe', 40],
    ['tag', 120],
    ['ref', 300],
    ['assigneeId', 120],
  ] as const)('the filter %s: %d', (name, most) => {
    expect(lengths(filters, (value) => ({ [name]: value }), most)).toEqual(BETWEEN);
  });

  test('the reason of a change of one finding and of many: 300', () => {
    const ids = [newId()];
    expect(lengths(findingUpdateRoutes.updateFindings.body, (reason) => ({ ids, reason }), 300)).toEqual(BETWEEN);
    expect(lengths(findingRoutes.updateFinding.body, (reason) => ({ reason }), 300)).toEqual(BETWEEN);
  });

  test('the person who approves: 120', () => {
    expect(lengths(approverId, (id) => id, 120)).toEqual(BETWEEN);
  });

  test('the name and a tag of an exception: 120', () => {
    const exception = (more: object) => ({
      exceptions: [{ name: 'pci', tags: ['pci'], days: { high: 1 }, ...more }],
      version: 1,
      taskId: null,
    });
    expect(lengths(SlaPolicies, (name) => exception({ name }), 120)).toEqual(BETWEEN);
    expect(lengths(SlaPolicies, (tag) => exception({ tags: [tag] }), 120)).toEqual(BETWEEN);
  });
});

describe('a number that callers send is taken up to its limits', () => {
  const policies = (more: object) => ({ version: 1, taskId: null, ...more });

  test.each(['critical', 'high', 'medium', 'low', 'info'])('the days to fix what is %s: 0 to 3650', (severity) => {
    const taken = [-1, 0, 3650, 3651, 1.5].map((days) => takes(SlaPolicies, policies({ days: { [severity]: days } })));
    expect(taken).toEqual([false, true, true, false, false]);
  });

  test('50 exceptions of 20 tags and four criticalities', () => {
    const exception = { name: 'pci', tags: Array.from({ length: 20 }, (_, n) => `t${n}`), days: { high: 1 } };
    const many = (count: number) => takes(SlaPolicies, policies({ exceptions: Array(count).fill(exception) }));
    expect([many(50), many(51)]).toEqual([true, false]);
    const wide = { ...exception, tags: [...exception.tags, 'more'] };
    expect(takes(SlaPolicies, policies({ exceptions: [wide] }))).toBe(false);
    const valued = (criticalities: string[]) =>
      takes(SlaPolicies, policies({ exceptions: [{ name: 'x', criticalities, days: { high: 1 } }] }));
    const all = ['low', 'medium', 'high', 'critical'];
    expect([valued([]), valued(['low']), valued(all), valued([...all, 'low'])]).toEqual([false, true, true, false]);
  });

  test('the age of a gate: 0 to 3650 days', () => {
    expect([-1, 0, 3650, 3651, 0.5].map((maxAgeDays) => takes(Gate, { maxAgeDays }))).toEqual([
      ...[false, true, true, false, false],
    ]);
    expect(Gate.parse({})).toEqual({ failOn: 'high', newOnly: true });
  });

  test('30 tags of a finding', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`);
    for (const name of ['tags', 'addTags', 'removeTags'])
      expect([30, 31].map((count) => takes(BulkChanges, { [name]: tags(count) }))).toEqual([true, false]);
  });
});
