import { decoded } from '#shared/platform/runtime/texts.ts';
import { severityOfScore } from '../../readers/cvss.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, indexAt, listAt, numberAt, textAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';
import { cleanPath, findCves, findCwes, firstSentence } from '../../readers/text.ts';
import type { ReportAsset, ReportEvidence, ReportLocation, Severity } from '../../report/report.ts';
import { identityOf } from './identity.ts';
import { messageText } from './message.ts';
import { asInOwnFormat } from './own-format.ts';
import { type Rule, tagsOf, vectorIn } from './rule.ts';
import { type ArtifactLocation, componentOf, findRule, type Run, taxaOf } from './run.ts';

/**
 * False for results that the tool lists but does not report as a problem: passed and informational kinds, results that
 * someone suppressed at the source (3.27.23: unless the suppression is under review or rejected), and results that only
 * an earlier run saw.
 */
export function isProblem(result: unknown): boolean {
  const kind = textAt(result, 'kind') ?? 'fail';
  const suppressions = listAt(result, 'suppressions');
  const suppressed =
    suppressions.length > 0 && suppressions.every((entry) => (textAt(entry, 'status') ?? 'accepted') === 'accepted');
  return kind === 'fail' && !suppressed && textAt(result, 'baselineState') !== 'absent';
}

/** The finding of one result, or undefined when it names neither a rule nor a message. */
export function draftOf(run: Run, result: unknown): FindingDraft | undefined {
  const rule = findRule(run, result);
  const ruleId = textAt(result, 'ruleId') ?? textAt(result, 'rule', 'id') ?? rule?.id;
  const message = messageText(fieldAt(result, 'message'), [rule?.messages, componentOf(run, result).messages]);
  if (!ruleId && !message) return undefined;
  const place = locationOfResult(run, result);
  const region = fieldAt(result, 'locations', 0, 'physicalLocation', 'region');
  const snippet = textAt(region, 'snippet', 'text');
  const path = place.path ?? place.url ?? logicalName(result);
  const draft: FindingDraft = {
    title: titleOf({ rule, message, ruleId: ruleId ?? '' }),
    description: descriptionOf(rule, message),
    ruleId: ruleId ?? 'unnamed',
    asset: assetOf(run, place),
    location: {
      path: place.url ? undefined : path,
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
    identity: identityOf({ result, ruleId: ruleId ?? '', place: path ?? '', snippet, message }),
    ...severityOf(rule, result),
    ...identifiersOf(run, { rule, result, ruleId, message }),
  };
  return asInOwnFormat({ run, result, message: message ?? '', draft, ruleName: rule?.name });
}

function severityOf(rule: Rule | undefined, result: unknown): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const score = numberAt(result, 'properties', 'security-severity') ?? rule?.securitySeverity;
  if (score !== undefined && score > 0 && score <= 10)
    return { severity: severityOfScore(score), toolSeverity: String(score) };
  const level = textAt(result, 'level') ?? rule?.level;
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

function locationOfResult(run: Run, result: unknown): ResultLocation {
  const location = fieldAt(result, 'locations', 0, 'physicalLocation', 'artifactLocation');
  return locationOf(run, location ?? fieldAt(result, 'analysisTarget'));
}

function logicalName(result: unknown): string | undefined {
  const logical = fieldAt(result, 'locations', 0, 'logicalLocations', 0);
  return textAt(logical, 'fullyQualifiedName') ?? textAt(logical, 'name');
}

function assetOf(run: Run, place: ResultLocation): ReportAsset | null {
  if (run.image) return { type: 'container_image', value: run.image };
  return pageOf(place.url)?.asset ?? (run.repository ? { type: 'repository', value: run.repository } : null);
}

function placeOf(run: Run, location: unknown): ReportLocation {
  const physical = fieldAt(location, 'physicalLocation');
  const { path, url } = locationOf(run, fieldAt(physical, 'artifactLocation'));
  return {
    path,
    url,
    line: indexAt(physical, 'region', 'startLine'),
    snippet: textAt(physical, 'region', 'snippet', 'text'),
  };
}

/** The way of the data from source to sink, one step a line. */
function evidenceOf(run: Run, result: unknown): ReportEvidence[] {
  const flow = listAt(result, 'codeFlows', 0, 'threadFlows', 0, 'locations').slice(0, MAX_STEPS);
  return [{ kind: 'text', content: flow.map((step) => stepOf(run, fieldAt(step, 'location'))).join('\n') }];
}

const MAX_STEPS = 50;

function stepOf(run: Run, location: unknown): string {
  const { path, url, line } = placeOf(run, location);
  const where = `${path ?? url ?? 'somewhere'}${line === undefined ? '' : `:${line}`}`;
  const message = messageText(fieldAt(location, 'message'), []);
  return message ? `${where} ${message}` : where;
}

/** The place of a result: a path inside the scanned tree, or the URL of a scanned site. */
type ResultLocation = { path?: string; url?: string };

/**
 * Resolves an artifact location (SARIF 2.1.0, 3.4): by its index, its base, and the bases of its base. A base's absolute
 * URI is the directory of the machine that scanned, so it is left out: the path must be the same from another machine.
 */
function locationOf(run: Run, artifactLocation: unknown): ResultLocation {
  const own = { uri: textAt(artifactLocation, 'uri'), uriBaseId: textAt(artifactLocation, 'uriBaseId') };
  const index = indexAt(artifactLocation, 'index');
  const place = own.uri === undefined && index !== undefined ? (run.artifacts[index] ?? own) : own;
  if (place.uri === undefined) return {};
  if (/^https?:/i.test(place.uri)) return { url: place.uri };
  const path = /^file:/i.test(place.uri) ? withoutRoot(run, place.uri) : basePath(run, place) + place.uri;
  return { path: cleanPath(decoded(path)) };
}

function basePath(run: Run, place: ArtifactLocation): string {
  let prefix = '';
  let base = run.bases.get(place.uriBaseId ?? '');
  // Bases may name each other in a circle; nobody nests more than a few.
  for (let depth = 0; base && depth < 8; depth += 1) {
    if (base.uri && /^[a-z][a-z0-9+.-]*:/i.test(base.uri)) break;
    if (base.uri) prefix = (base.uri.endsWith('/') ? base.uri : `${base.uri}/`) + prefix;
    base = run.bases.get(base.uriBaseId ?? '');
  }
  return prefix;
}

function withoutRoot(run: Run, uri: string): string {
  const roots = run.roots.filter((root) => uri.startsWith(root)).sort((a, b) => b.length - a.length);
  return roots[0] ? uri.slice(roots[0].length).replace(/^\/+/, '') : uri.replace(/^file:(\/\/[^/]*)?/i, '');
}
