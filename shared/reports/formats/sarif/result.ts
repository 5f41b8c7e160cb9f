import { severityOfScore } from '../../readers/cvss.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import type { Reading } from '../../readers/format.ts';
import { fieldAt, indexAt, listAt, numberAt, textAt } from '../../readers/json.ts';
import { findCves, findCwes, firstSentence } from '../../readers/text.ts';
import type { Severity } from '../../report/report.ts';
import { evidenceOf } from './evidence.ts';
import { identityOf } from './identity.ts';
import { levelOf } from './levels.ts';
import { messageText } from './message.ts';
import { asInOwnFormat } from './own-format.ts';
import { assetOf, locationOfResult, placeInLine, placeOf } from './place.ts';
import { type Rule, tagsOf, vectorIn } from './rule.ts';
import { componentOf, findRule, type Run, taxaOf } from './run.ts';

/**
 * False for results that the tool lists but does not report as a problem: passed and informational kinds, results that
 * someone suppressed at the source (3.27.23: unless the suppression is under review or rejected), and results that only
 * an earlier run saw.
 */
export const isProblem = (result: unknown, how: Reading): boolean =>
  (textAt(result, 'kind') ?? 'fail') === 'fail' && isCurrent(result, how);

/** The tool could not decide whether there is a problem (3.27.9): an earlier finding of the rule may hold. */
export const isUndecided = (result: unknown, how: Reading): boolean =>
  ['open', 'review'].includes(textAt(result, 'kind') ?? '') && isCurrent(result, how);

function isCurrent(result: unknown, { decides }: Reading): boolean {
  const suppressions = listAt(result, 'suppressions');
  const suppressed =
    decides !== false &&
    suppressions.length > 0 &&
    suppressions.every((entry) => (textAt(entry, 'status') ?? 'accepted') === 'accepted');
  return !suppressed && textAt(result, 'baselineState') !== 'absent';
}

/** The findings of one result, most often one; undefined when it names neither a rule nor a message. */
export function draftsOf(run: Run, result: unknown): FindingDraft[] | undefined {
  const rule = findRule(run, result);
  const ruleId = textAt(result, 'ruleId') ?? textAt(result, 'rule', 'id') ?? rule?.id;
  const message = messageText(fieldAt(result, 'message'), [rule?.messages, componentOf(run, result).messages]);
  if (!ruleId && !message) return undefined;
  const place = locationOfResult(run, result);
  const region = fieldAt(result, 'locations', 0, 'physicalLocation', 'region');
  const snippet = textAt(region, 'snippet', 'text');
  const draft: FindingDraft = {
    title: titleOf({ rule, message, ruleId: ruleId ?? '' }),
    description: descriptionOf(rule, message),
    ruleId: ruleId ?? 'unnamed',
    asset: assetOf(run, place),
    location: {
      path: place.path,
      url: place.url,
      line: indexAt(region, 'startLine'),
      commit: run.commit,
      snippet,
    },
    otherLocations: listAt(result, 'locations')
      .slice(1)
      .map((other) => placeOf(run, other)),
    evidence: evidenceOf(run, result),
    references: [rule?.helpUri, textAt(result, 'hostedViewerUri')].filter((link) => link !== undefined),
    remediation: textAt(result, 'fixes', 0, 'description', 'text') ?? rule?.help,
    identity: identityOf({ result, ruleId: ruleId ?? '', place: place.path ?? place.url ?? '', snippet, message }),
    place: placeInLine(run, result, message),
    ...severityOf(run, rule, result),
    ...identifiersOf(run, { rule, result, ruleId, message }),
  };
  return asInOwnFormat({ run, result, message: message ?? '', draft, rule });
}

function severityOf(
  run: Run,
  rule: Rule | undefined,
  result: unknown,
): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const score = numberAt(result, 'properties', 'security-severity') ?? rule?.securitySeverity;
  if (score !== undefined && score > 0 && score <= 10)
    return { severity: severityOfScore(score), toolSeverity: String(score) };
  const level = levelOf(run, rule, result);
  // SARIF has no level below a note for a problem; scanners that know one give it the score 0
  if (level === 'note' && score === 0) return { severity: 'info', toolSeverity: level };
  return { severity: LEVELS.get(level ?? 'warning') ?? 'medium', toolSeverity: level };
}

/** SARIF 2.1.0, 3.27.10; a result without a level, whose rule has none either, is a warning. */
const LEVELS = new Map<string, Severity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'info'],
]);

function identifiersOf(
  run: Run,
  { rule, result, ruleId, message }: { rule?: Rule; result: unknown; ruleId?: string; message?: string },
): Partial<FindingDraft> {
  const tags = [...(rule?.tags ?? []), ...tagsOf(fieldAt(result, 'properties'))];
  const cves = findCves(ruleId, rule?.name, rule?.short, message, ...tags);
  const score = numberAt(result, 'properties', 'security-severity') ?? rule?.securitySeverity;
  return {
    cves,
    cwes: findCwes(
      ...tags,
      ...taxaOf(run, [...(rule?.taxa ?? []), ...listAt(result, 'taxa')]),
      ruleId,
      cweOfLink(rule?.helpUri),
    ),
    cvssVector: vectorIn(fieldAt(result, 'properties')) ?? rule?.vector,
    // For a rule of static analysis the number ranks the rule; only for a known vulnerability it is that one's score.
    cvssScore: cves.length > 0 && score !== undefined && score > 0 ? score : undefined,
    tags: tags.filter((tag) => !/^external\/cwe\//.test(tag)),
  };
}

/** Many tools name the weakness only by its page, cwe.mitre.org/data/definitions/91.html. */
function cweOfLink(link: string | undefined): string | undefined {
  const number = /cwe\.mitre\.org\/data\/definitions\/(\d+)/.exec(link ?? '')?.[1];
  return number && `CWE-${number}`;
}

/** The rule's short description reads best in a list, unless the tool writes its own id there, as Semgrep does. */
function titleOf({ rule, message, ruleId }: { rule?: Rule; message?: string; ruleId: string }): string {
  const short = rule?.short && !(ruleId && rule.short.includes(ruleId)) ? rule.short : undefined;
  return short ?? (message ? firstSentence(message) : (rule?.name ?? ruleId));
}

/** Looking for a long text anywhere in another takes time with the product of both, so only the ends are compared. */
function descriptionOf(rule: Rule | undefined, message: string | undefined): string | undefined {
  if (!message) return rule?.full ?? rule?.short;
  const { full } = rule ?? {};
  const saysIt = !full || message.startsWith(full) || message.endsWith(full);
  return saysIt ? message : `${message}\n\n${full}`;
}
