import type { Gap, GapCode, IncompleteReason } from './gap.ts';

/** The sentences of the ids in docs/closing.md. */
const SENTENCES = {
  not_judged: (gap: Gap) => `The tool reports neither passed nor failed for ${things(gap)}.`,
  not_read: (gap: Gap) => `The tool could not read ${things(gap)}.`,
  not_reached: (gap: Gap) => `The scan did not reach ${things(gap)}, or did not test to the end.`,
  tool_error: ({ count = 1 }: Gap) => `The tool reports ${count === 1 ? 'an error' : `${count} errors`}.`,
  not_finished: () => 'The scan did not run to its end.',
  more_pages: (gap: Gap) =>
    `The report has only ${gap.of === undefined ? 'one of several pages' : things(gap)}: send all pages as one report.`,
  no_results: () => 'The report has no list of results, so the tool computed none.',
  no_scan: () => 'The report is an inventory or has statements (VEX): no scan that proves a problem gone.',
  entry_rejected: ({ count = 1 }: Gap) =>
    `${count} ${count === 1 ? 'entry' : 'entries'} cannot be used (\`rejected\`): each may be a finding that seems gone.`,
} satisfies Record<GapCode, (gap: Gap) => string>;

/** `3 of 349 controls` */
function things({ count = 1, of, thing = 'result' }: Gap): string {
  const many = (of ?? count) === 1 ? thing : `${thing}s`;
  return of === undefined ? `${count} ${many}` : `${count} of ${of} ${many}`;
}

/** The reason in plain words. */
export function reasonOf(gap: Gap): IncompleteReason {
  const { code, count, partly, first } = gap;
  const parts = [
    SENTENCES[code](gap),
    ...(partly ? ['Their findings stay open.'] : []),
    ...(first ? [`${count === undefined ? 'The tool' : 'The first'}: ${first.replace(/\.$/, '')}.`] : []),
  ];
  return { code, message: parts.join(' '), ...(count !== undefined && { count }), ...(partly && { partly }) };
}

/** The gaps of a report with one more: equal ones are counted together. */
export function withGap(gaps: readonly Gap[], gap: Gap): Gap[] {
  const isAlike = (one: Gap) => one.code === gap.code && one.thing === gap.thing && one.partly === gap.partly;
  const before = gaps.find(isAlike);
  if (!before) return [...gaps, gap];
  const count = (before.count ?? 1) + (gap.count ?? 1);
  const of = before.of !== undefined && gap.of !== undefined ? before.of + gap.of : undefined;
  return gaps.map((one) => (one === before ? { ...one, count, of } : one));
}
