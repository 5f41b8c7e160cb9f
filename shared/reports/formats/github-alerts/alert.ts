import { newestCvss } from '../../readers/cvss.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { advisorySeverity, packageProblem } from '../../readers/package-problem.ts';
import { purlOf } from '../../readers/purl.ts';
import { findCwes } from '../../readers/text.ts';
import type { ReportComponent } from '../../report/report.ts';
import { codeDraftOf } from './code-alert.ts';
import { repositoryOf } from './repository.ts';
import { secretDraftOf } from './secret-alert.ts';

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
