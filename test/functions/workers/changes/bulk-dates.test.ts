import { expect, test } from 'vitest';
import { decidedResult, restoredResult } from '#functions/workers/changes/followed.ts';
import { redated } from '#functions/workers/changes/redate.ts';
import type { ManyResult } from '#shared/findings/bulk/decision.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { DEFAULT_SLA, findingDraft } from '../../../support/findings.ts';
import { dayOf } from '../imports/days.ts';

const dateOf = (fields: object) => redated(DEFAULT_SLA, findingDraft(dayOf(0), fields) as unknown as FindingRow)?.dueAt;

test('a finding is due where the policies say, unless it is repaired or a person chose the date', () => {
  const moved = { dueAt: dayOf(5), dueChosen: false };
  expect(dateOf(moved)).toBe(dayOf(30));
  expect(dateOf({ ...moved, status: 'risk_accepted' })).toBe(dayOf(30));
  expect(dateOf({ ...moved, reopenedAt: dayOf(10) })).toBe(dayOf(40));
  const staying = [{}, { ...moved, status: 'fixed' }, { ...moved, dueChosen: true }];
  expect(staying.map(dateOf)).toEqual([undefined, undefined, undefined]);
});

const result = (count: number) =>
  ({
    matched: count,
    changed: count + 1,
    unchanged: count + 2,
    refused: [],
    refusedCount: count + 3,
    results: [],
    kinds: {},
  }) as unknown as ManyResult;

test('the result of a decision includes its findings, once both are done', () => {
  const findings = { matched: 20, changed: 21, unchanged: 22, refused: [], refusedCount: 23 };
  expect(decidedResult([result(10), result(20)])).toEqual({ ...result(10), findings });
  expect(restoredResult([result(10), result(20)])).toEqual({
    matched: 10,
    restored: 11,
    changedSince: [],
    changedSinceCount: 13,
    findings: { changed: 21 },
  });
  for (const unfinished of [undefined, [], [result(1)]])
    expect([decidedResult(unfinished), restoredResult(unfinished)]).toEqual([undefined, undefined]);
});
