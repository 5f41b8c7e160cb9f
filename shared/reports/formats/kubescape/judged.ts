import { fieldAt, type JsonObject, listAt } from '../../readers/json.ts';
import type { ReportEvent } from '../../report/report.ts';
import { ruleOf, statusOf } from './result.ts';

/** The controls of a report by their ids, and those that Kubescape skipped. */
export type Judged = {
  controls: Set<string>;
  skipped: Set<string>;
  /** How many verdicts on a resource the report should have, and how many lack a status. */
  count: number;
  unknown: number;
};

const SKIPPED = 'skipped';

/**
 * Kubescape skips a control that lacks its configuration, its integration or a person's review: an earlier finding of
 * it may hold.
 */
export function noteJudged(judged: Judged, result: JsonObject): void {
  for (const control of listAt(result, 'controls')) {
    const status = statusOf(control);
    judged.count += 1;
    judged.controls.add(ruleOf(control));
    if (status === undefined) judged.unknown += 1;
    if (status === SKIPPED) judged.skipped.add(ruleOf(control));
  }
}

/** A control that was skipped for the whole cluster has a status only in the summary. */
export function noteSummary(judged: Judged, root: JsonObject): void {
  for (const [id, control] of Object.entries(Object(fieldAt(root, 'summaryDetails', 'controls')))) {
    judged.controls.add(id);
    if (statusOf(control) === SKIPPED) judged.skipped.add(id);
  }
}

export function* gapsIn({ controls, skipped, count, unknown }: Judged): Generator<ReportEvent> {
  const gap = { kind: 'incomplete', code: 'not_judged', thing: 'control' } as const;
  if (unknown > 0) yield { ...gap, count: unknown, of: count };
  if (skipped.size === 0) return;
  const [first] = skipped;
  yield { ...gap, count: skipped.size, of: controls.size, partly: true, first, rules: [...skipped] };
}
