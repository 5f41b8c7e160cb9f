import { codeIdentity } from '../../readers/code-identity.ts';
import { newestCvss } from '../../readers/cvss.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { advisorySeverity, packageProblem } from '../../readers/package-problem.ts';
import { purlOf } from '../../readers/purl.ts';
import { reportSecret } from '../../readers/secret.ts';
import { findCwes } from '../../readers/text.ts';
import type { ReportComponent, Severity } from '../../report/report.ts';
import { repositoryOf } from './repository.ts';

/** The finding of an alert in either spelling, [] when it is fixed or dismissed. */
export function draftOf(alert: JsonObject, parents: readonly JsonObject[]): FindingDraft | [] | undefined {
  if (fieldAt(alert, 'most_recent_instance') !== undefined) return codeDraftOf(alert, parents);
  if (fieldAt(alert, 'secret_type') !== undefined) return secretDraftOf(alert, parents);
  const vulnerability = fieldAt(alert, 'security_vulnerability') ?? fieldAt(alert, 'securityVulnerability');
  const advisory =
    fieldAt(alert, 'security_advisory') ?? fieldAt(alert, 'securityAdvisory') ?? fieldAt(vulnerability, 'advisory');
  const identifiers = listAt(advisory, 'identifiers').flatMap((identifier) => textsAt(identifier, 'value'));
  const id = textAt(advisory, 'ghsa_id') ?? textAt(advisory, 'ghsaId') ?? identifiers[0];
  const component = componentOf(alert, vulnerability);
  if (!id || !component) return undefined;
  if (!isOpen(alert)) return [];
  const path = textAt(alert, 'dependency', 'manifest_path') ?? textAt(alert, 'vulnerableManifestPath') ?? '';
  const aliases = [...identifiers, ...textsAt(advisory, 'cve_id')];
  const problem = packageProblem({ id, aliases, summary: textAt(advisory, 'summary'), component, place: path });
  return {
    ...problem,
    ...advisorySeverity(textAt(vulnerability, 'severity') ?? textAt(advisory, 'severity')),
    ...aboutAdvisory(advisory),
    asset: repositoryOf(alert, parents),
    references: [
      ...textsAt(alert, 'html_url'),
      ...listAt(advisory, 'references').flatMap((reference) => textsAt(reference, 'url')),
    ],
    place: idOf(alert),
    // Without the manifest only the alert itself distinguishes two places of one package.
    identity: path ? problem.identity : [...problem.identity, idOf(alert)],
  };
}

function componentOf(alert: JsonObject, vulnerability: unknown): ReportComponent | undefined {
  const found = fieldAt(vulnerability, 'package') ?? fieldAt(alert, 'dependency', 'package');
  const name = textAt(found, 'name');
  if (!name) return undefined;
  const ecosystem = textAt(found, 'ecosystem')?.toLowerCase();
  const fixed = fieldAt(vulnerability, 'first_patched_version') ?? fieldAt(vulnerability, 'firstPatchedVersion');
  const version = /^=\s*(\S+)$/.exec(textAt(alert, 'vulnerableRequirements') ?? '')?.[1];
  return {
    name,
    version,
    purl: ecosystem && purlOf(PURL_TYPES.get(ecosystem) ?? ecosystem, { name, version }),
    fixedVersions: textsAt(fixed, 'identifier'),
  };
}

function aboutAdvisory(advisory: unknown): Partial<FindingDraft> {
  const ratings = [
    ...['cvss_v4', 'cvss_v3'].map((version) => fieldAt(advisory, 'cvss_severities', version)),
    ...['cvssV4', 'cvssV3'].map((version) => fieldAt(advisory, 'cvssSeverities', version)),
    fieldAt(advisory, 'cvss'),
  ].map((rating) => ({
    cvssVector: textAt(rating, 'vector_string') ?? textAt(rating, 'vectorString'),
    cvssScore: numberAt(rating, 'score') || undefined,
  }));
  const cwes = [...listAt(advisory, 'cwes'), ...listAt(advisory, 'cwes', 'nodes')];
  return {
    ...newestCvss(ratings),
    description: textAt(advisory, 'description'),
    cwes: findCwes(...cwes.flatMap((cwe) => [...textsAt(cwe, 'cwe_id'), ...textsAt(cwe, 'cweId')])),
  };
}

/** Queries that leave the state out may still ask for the dates. */
function isOpen(alert: JsonObject): boolean {
  const state = textAt(alert, 'state')?.toLowerCase();
  const ends = ['fixed_at', 'fixedAt', 'dismissed_at', 'dismissedAt', 'auto_dismissed_at', 'autoDismissedAt'];
  return state ? state === 'open' : ends.every((end) => textAt(alert, end) === undefined);
}

const idOf = (alert: JsonObject): string => textAt(alert, 'id') ?? String(numberAt(alert, 'number') ?? '');

const PURL_TYPES = new Map([
  ['pip', 'pypi'],
  ['rubygems', 'gem'],
  ['go', 'golang'],
  ['rust', 'cargo'],
  ['erlang', 'hex'],
  ['actions', 'githubactions'],
]);

/** The finding of a code scanning alert, [] when it is fixed or dismissed. */
function codeDraftOf(alert: JsonObject, parents: readonly JsonObject[]): FindingDraft | [] | undefined {
  const rule = fieldAt(alert, 'rule');
  const ruleId = textAt(rule, 'id') ?? textAt(rule, 'name');
  if (!ruleId) return undefined;
  if ((textAt(alert, 'state') ?? 'open') !== 'open') return [];
  const instance = fieldAt(alert, 'most_recent_instance');
  const [path, message] = [textAt(instance, 'location', 'path'), textAt(instance, 'message', 'text')];
  const word = textAt(rule, 'security_severity_level') ?? textAt(rule, 'severity');
  return {
    title: textAt(rule, 'description') ?? message ?? ruleId,
    description: [message, textAt(rule, 'full_description')].filter((text) => text).join('\n\n'),
    severity: severityOfWord(word) ?? LEVELS.get(word ?? '') ?? 'medium',
    toolSeverity: word,
    ruleId,
    cwes: findCwes(...textsAt(rule, 'tags')),
    asset: repositoryOf(alert, parents),
    location: { path, line: indexAt(instance, 'location', 'start_line'), commit: textAt(instance, 'commit_sha') },
    references: textsAt(alert, 'html_url'),
    remediation: textAt(rule, 'help'),
    tags: [...textsAt(alert, 'tool', 'name'), ...textsAt(rule, 'tags').filter((tag) => !tag.startsWith('external/'))],
    place: idOf(alert),
    identity: codeIdentity({ ruleId, place: path ?? '', message }),
  };
}

/** For rules that are not about security, as in SARIF. */
const LEVELS = new Map<string, Severity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'info'],
]);

/**
 * The finding of an alert on a secret, [] for a resolved one. GitHub omits the secret on request (`hide_secret`).
 * https://docs.github.com/rest/secret-scanning/secret-scanning
 */
function secretDraftOf(alert: JsonObject, parents: readonly JsonObject[]): FindingDraft | [] | undefined {
  const ruleId = textAt(alert, 'secret_type');
  if (!ruleId) return undefined;
  if ((textAt(alert, 'state') ?? (textAt(alert, 'resolution') ? 'resolved' : 'open')) !== 'open') return [];
  const kind = textAt(alert, 'secret_type_display_name') ?? ruleId;
  const place = fieldAt(alert, 'first_location_detected');
  const path = textAt(place, 'path');
  const number = numberAt(alert, 'number');
  const isActive = textAt(alert, 'validity') === 'active';
  return {
    title: `Secret in the repository: ${kind}`,
    description:
      fieldAt(alert, 'publicly_leaked') === true ? 'The secret was also found outside of the repository.' : undefined,
    severity: isActive ? 'critical' : 'high',
    toolSeverity: textAt(alert, 'validity'),
    ruleId,
    cwes: ['CWE-798'],
    secret: reportSecret({ ruleId, secret: textAt(alert, 'secret'), verified: verifiedBy(textAt(alert, 'validity')) }),
    asset: repositoryOf(alert, parents),
    location: { path, line: indexAt(place, 'start_line'), commit: textAt(place, 'commit_sha') },
    references: textsAt(alert, 'html_url'),
    remediation: 'Revoke the secret where it was issued, then replace it.',
    tags: [],
    identity: [ruleId, String(number ?? path ?? '')],
  };
}

/** GitHub asks the issuer of the secret, where it can. */
const verifiedBy = (validity: string | undefined): boolean | null =>
  validity === 'active' || validity === 'inactive' ? validity === 'active' : null;
