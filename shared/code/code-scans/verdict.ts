import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { Severity } from '#shared/reports/report/report.ts';
import type { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import type { Annotation, Verdict } from '../code-hosts/code-host.ts';

/** The scan of a commit, and where it is shown. */
type ReportedScan = Pick<Verdict, 'commit' | 'ref' | 'pullRequest' | 'link'> & {
  startedAt: string;
  /** The address of the console, which shows findings. */
  pages: string;
  /** Later reports on the commit change the verdict. */
  renews: boolean;
};
type Outcome = Pick<PolicyScan, 'startedAt' | 'finishedAt' | 'comparison' | 'gate'>;

/** Findings of a summary; the others are counted. */
const MAX_LISTED = 20;

/** @param scan the last one of its branch; another one than told has taken its place @param fresh its new findings, worst first */
export function verdictOf(reported: ReportedScan, scan: Outcome | undefined, fresh: readonly StoredFinding[]): Verdict {
  const { startedAt, pages, ...shown } = reported;
  const common = { ...shown, id: startedAt, annotations: [], hasNew: false, summary: '' };
  if (scan?.startedAt !== startedAt)
    return { ...common, state: 'cancelled', title: 'Another scan took the place of this one' };
  if (scan.finishedAt === null) return { ...common, state: 'pending', title: 'The scan has begun' };
  const total = Severity.options.reduce((sum, severity) => sum + (scan.comparison?.new[severity] ?? 0), 0);
  const state = scan.gate?.passed === false ? 'failed' : 'passed';
  return {
    ...common,
    state,
    title: state === 'failed' ? `Fails: ${scan.gate?.reasons[0] ?? ''}` : titleOf(total),
    summary: summaryOf(scan, fresh, pages),
    annotations: fresh.flatMap(annotationOf),
    hasNew: total > 0,
  };
}

const titleOf = (total: number): string => (total === 0 ? 'No new findings' : `${total} new, none that fails the gate`);

function summaryOf({ comparison, gate }: Outcome, fresh: readonly StoredFinding[], pages: string): string {
  const counts = Severity.options.flatMap((severity) =>
    comparison?.new[severity] ? [`${comparison.new[severity]} ${severity}`] : [],
  );
  const against = comparison?.baseRef ? ` against ${code(comparison.baseRef)}` : '';
  const lines = [
    comparison ? `New${against}: ${counts.join(', ') || 'none'}.` : 'No report came.',
    ...(gate?.reasons ?? []).map((reason) => `- ${code(reason)}`),
    '',
    ...fresh
      .slice(0, MAX_LISTED)
      .map(
        ({ id, severity, title, location }) =>
          `- **${severity}** ${code(title)} at ${code(location)} ([details](${pages}/findings/${id}))`,
      ),
    ...(fresh.length > MAX_LISTED ? [`- and ${fresh.length - MAX_LISTED} more`] : []),
  ];
  return lines.join('\n');
}

/** A text of a report as it is: no link, picture or mention of somebody. */
const code = (text: string): string => `\`${shortened(text, 200).replaceAll(/[`\s]+/g, ' ')}\``;

function annotationOf({ locationDetail: { path, line }, severity, title, description }: StoredFinding): Annotation[] {
  if (path === undefined || line === undefined) return [];
  return [{ path, line, severity, title, message: shortened(description || title, 1000) }];
}
