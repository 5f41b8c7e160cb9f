import { type CodeProblem, codeIdentity, hiddenCodeIdentity } from '../../readers/code-identity.ts';
import { severityOfScore } from '../../readers/cvss.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import {
  fieldAt,
  indexAt,
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  plainAt,
  textAt,
  textsAt,
} from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { findCves, findCwes, firstSentence, pathInTree } from '../../readers/text.ts';
import type { ReportEvidence, Severity } from '../../report/report.ts';

/** The finding of one result; `[]` for a result that a comment in the code ignores. */
export function draftOfResult(result: JsonObject): FindingDraft | [] | undefined {
  const ruleId = textAt(result, 'check_id');
  const path = textAt(result, 'path');
  if (!ruleId || !path) return undefined;
  const extra = fieldAt(result, 'extra');
  if (fieldAt(extra, 'is_ignored') === true) return [];
  const metadata = fieldAt(extra, 'metadata');
  const message = textAt(extra, 'message') ?? '';
  const snippet = unlessLeftOut(textAt(extra, 'lines'));
  const place = pathInTree(path);
  return {
    title: textAt(metadata, 'shortDescription') ?? (firstSentence(message) || ruleId),
    description: message,
    ...severityOf(extra),
    ruleId,
    cves: findCves(...textsAt(metadata, 'cve'), textAt(metadata, 'sca-vuln-database-identifier')),
    cwes: findCwes(...textsAt(metadata, 'cwe')),
    asset: null,
    evidence: traceOf(extra),
    references: ['references', 'source', 'source-rule-url'].flatMap((name) => textsAt(metadata, name)),
    remediation: fixOf(extra),
    tags: tagsOf(extra),
    ...packageOf(result, place),
    location: {
      path: place,
      line: indexAt(result, 'start', 'line'),
      snippet,
      commit: textAt(extra, 'historical_info', 'git_commit'),
    },
    place: placeBy(
      indexAt(result, 'start', 'col'),
      indexAt(result, 'end', 'line'),
      indexAt(result, 'end', 'col'),
      message,
    ),
    identity: identityOf(result, { ruleId, place, message, snippet }),
  };
}

/** The fingerprint under its SARIF name, where Semgrep reports it (to users with a login). */
function identityOf(result: JsonObject, problem: CodeProblem): string[] {
  const fingerprint = unlessLeftOut(textAt(result, 'extra', 'fingerprint'));
  if (fingerprint) return [problem.ruleId, problem.place, `matchBasedId/v1:${fingerprint}`];
  if (textAt(result, 'extra', 'fingerprint') === undefined) return codeIdentity(problem);
  const at = (end: string, part: string) => indexAt(result, end, part) ?? 0;
  return hiddenCodeIdentity(problem, {
    lines: [at('start', 'line'), at('end', 'line')],
    columns: [at('start', 'col'), at('end', 'col')],
  });
}

/** Without a login Semgrep writes `requires login` in place of texts. */
const unlessLeftOut = (text: string | undefined): string | undefined => (text === 'requires login' ? undefined : text);

function severityOf(extra: unknown): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const score = numberAt(extra, 'metadata', 'security-severity');
  if (score !== undefined && score > 0 && score <= 10)
    return { severity: severityOfScore(score), toolSeverity: String(score) };
  const word = textAt(extra, 'severity');
  return { severity: SEVERITIES.get(word ?? '') ?? severityOfWord(word) ?? 'info', toolSeverity: word };
}

/** Semgrep's documentation of rules calls these high, medium and low; `INVENTORY` and `EXPERIMENT` are no problems. */
const SEVERITIES = new Map<string, Severity>([
  ['ERROR', 'high'],
  ['WARNING', 'medium'],
  ['INFO', 'low'],
]);

function fixOf(extra: unknown): string | undefined {
  const fix = textAt(extra, 'metadata', 'fix') ?? textAt(extra, 'fix');
  return fix && `Replace the code with: ${fix}`;
}

/** Whether Semgrep tried the secret. */
const VALIDATION = new Map([
  ['CONFIRMED_VALID', ['verified']],
  ['CONFIRMED_INVALID', ['revoked']],
]);

function tagsOf(extra: unknown): string[] {
  const metadata = fieldAt(extra, 'metadata');
  const confidence = textAt(metadata, 'confidence');
  return [
    ...textsAt(metadata, 'owasp'),
    ...textsAt(metadata, 'category'),
    ...textsAt(metadata, 'subcategory'),
    ...textsAt(metadata, 'technology'),
    ...(confidence ? [`${confidence} CONFIDENCE`] : []),
    ...(fieldAt(extra, 'sca_info', 'reachable') === false ? ['unreachable'] : []),
    ...(VALIDATION.get(textAt(extra, 'validation_state') ?? '') ?? []),
  ];
}

/** The component of a Supply Chain result, and the title that names it. */
function packageOf(result: JsonObject, place: string): Partial<FindingDraft> {
  const found = fieldAt(result, 'extra', 'sca_info', 'dependency_match', 'found_dependency');
  const name = textAt(found, 'package');
  if (!name) return {};
  const metadata = fieldAt(result, 'extra', 'metadata');
  const fixes = listAt(metadata, 'sca-fix-versions').flatMap((fix) => (isObject(fix) ? textsAt(fix, name) : []));
  const component = { name, version: textAt(found, 'version'), fixedVersions: fixes };
  const id = textAt(metadata, 'sca-vuln-database-identifier') ?? plainAt(result, 'check_id') ?? '';
  const { title, remediation } = { remediation: undefined, ...packageProblem({ id, component, place }) };
  return { title, component, remediation };
}

/** The path of the data from source to sink, from Semgrep's taint mode. */
function traceOf(extra: unknown): ReportEvidence[] {
  const trace = fieldAt(extra, 'dataflow_trace');
  const steps = [
    stepOf('source', fieldAt(trace, 'taint_source', 1)),
    ...listAt(trace, 'intermediate_vars')
      .slice(0, MAX_STEPS)
      .map((step) => stepOf('through', [fieldAt(step, 'location'), fieldAt(step, 'content')])),
    stepOf('sink', fieldAt(trace, 'taint_sink', 1)),
  ];
  return [{ kind: 'text', content: steps.filter((step) => step !== '').join('\n') }];
}

const MAX_STEPS = 50;

/** A step is its location and its code; a step that calls a function has one more wrapper. */
function stepOf(role: string, step: unknown): string {
  const path = textAt(step, 0, 'path');
  if (!path) return '';
  return `${role} ${pathInTree(path)}:${indexAt(step, 0, 'start', 'line') ?? '?'} ${unlessLeftOut(textAt(step, 1)) ?? ''}`.trim();
}
