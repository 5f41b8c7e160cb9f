import { hasControl, kubernetesBenchmarks } from '../../readers/benchmark-kubernetes.ts';
import { readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import { placeBy } from '../../readers/repetitions.ts';
import type { BenchmarkCheck, OpenReport, ReportEvent, Severity } from '../../report/report.ts';

const RESULTS = ['tests', '[]', 'results', '[]'];
const LISTS = [['Controls', '[]', ...RESULTS], ['[]', ...RESULTS], RESULTS];

/** kube-bench's JSON: the parts of the benchmark, in an object, in a list (earlier versions), or a single part. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'kube-bench' };
  const passed = new PassedChecks();
  const entries = nestedEntries(open, { entries: LISTS, isReport: isPartWithoutTests });
  yield* readEntries(
    entries,
    (result, entry) => {
      if (textAt(result, 'status') === 'PASS') passed.add(checkOf(result, entry), null);
      return draftOf(result, entry);
    },
    'the result has no test_number or no known status',
  );
  yield* passed.events();
}

const isPartWithoutTests = (object: JsonObject): boolean =>
  typeof object.node_type === 'string' && typeof object.total_pass === 'number';

/** The benchmark that early versions of kube-bench name only by its number. */
const EARLY = '1.5';

/** The check of a benchmark with known numbers. A manual check has no known result. */
function checkOf(result: JsonObject, { parents }: NestedEntry): BenchmarkCheck | undefined {
  const number = textAt(result, 'test_number') ?? '';
  const version = textAt(parents.at(-2), 'version');
  const benchmark = kubernetesBenchmarks.find((one) => one === (version === EARLY ? `cis-${EARLY}` : version));
  return benchmark && hasControl(benchmark, number) ? { benchmark, key: number } : undefined;
}

function draftOf(result: JsonObject, entry: NestedEntry): FindingDraft | [] | undefined {
  const ruleId = textAt(result, 'test_number');
  const status = textAt(result, 'status');
  if (!ruleId || !status) return undefined;
  const severity = SEVERITIES.get(status.toUpperCase());
  if (!severity) return WITHOUT_PROBLEM.has(status.toUpperCase()) ? [] : undefined;
  const [part, section] = entry.parents.slice(-2);
  const node = textAt(part, 'node_type') ?? '';
  const outcome = outcomeOf(result);
  return {
    title: `${ruleId} ${textAt(result, 'test_desc') ?? ''}`,
    description: [textAt(part, 'text'), textAt(section, 'desc')].filter((text) => text).join(': '),
    severity,
    toolSeverity: status,
    ruleId,
    asset: null,
    location: {},
    evidence: [
      { kind: 'command', content: textAt(result, 'audit') ?? '' },
      { kind: 'text', content: outcome },
    ],
    remediation: textAt(result, 'remediation'),
    tags: [node, ...textsAt(part, 'detected_version').map((version) => `Kubernetes ${version}`)],
    ...(severity !== 'info' && { check: checkOf(result, entry) }),
    place: placeBy(textAt(result, 'test_desc'), outcome),
    identity: [ruleId, node],
  };
}

/** kube-bench rates nothing: these are a failed check and a manual one. */
const SEVERITIES = new Map<string, Severity>([
  ['FAIL', 'medium'],
  ['WARN', 'info'],
]);

/** A check that passed, and one that is only for information; any other word is unknown. */
const WITHOUT_PROBLEM = new Set(['PASS', 'INFO']);

function outcomeOf(result: JsonObject): string {
  const facts = [
    ['Expected', textAt(result, 'expected_result')],
    ['Found', textAt(result, 'actual_value')],
    ['Reason', textAt(result, 'reason')],
  ];
  return facts.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : [])).join('\n');
}
