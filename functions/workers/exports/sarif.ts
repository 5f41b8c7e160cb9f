import type { Finding } from '#shared/findings/finding/finding.ts';
import type { RecordsFile } from '#shared/platform/exports/records-file.ts';
import { severityOfScore } from '#shared/reports/readers/cvss.ts';
import type { ReportLocation, Severity } from '#shared/reports/report/report.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** SARIF 2.1.0 (OASIS), a run for each tool. The findings come tool by tool. */
export const sarifFile = (): RecordsFile<Finding> => ({
  head: `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[`,
  add(place, finding) {
    const { tool, entries } = place;
    Object.assign(place, { tool: finding.tool, entries: entries + 1 });
    const between = tool === finding.tool ? ',' : `${entries > 0 ? ']},' : ''}${runOf(finding)}`;
    return `${between}\n${JSON.stringify(resultOf(finding))}`;
  },
  foot: ({ entries }) => (entries > 0 ? ']}]}\n' : ']}\n'),
});

const runOf = ({ tool }: Finding): string => `{"tool":{"driver":{"name":${JSON.stringify(tool)}}},"results":[`;

const LEVELS = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const;

/** Scores that represent a severity: the middle of its band (CVSS 3.1, section 5). */
const SCORES: Record<Severity, string> = { critical: '9.5', high: '8.0', medium: '5.5', low: '2.0', info: '0.0' };

function resultOf(finding: Finding) {
  const { id, ruleId, title, description, severity, status, asset, tags, cves, cwes, priority } = finding;
  const places = [finding.locationDetail, ...finding.otherLocations].map((place) =>
    placeOf(place, finding.location || asset.name),
  );
  return {
    ruleId,
    level: LEVELS[severity],
    message: { text: description ? `${sentence(title)}\n\n${description}` : title },
    locations: places,
    fingerprints: { [`finding/v${finding.fingerprintVersion}`]: finding.fingerprint },
    baselineState: status === 'fixed' ? 'absent' : 'unchanged',
    ...suppressionOf(finding),
    properties: {
      'security-severity': scoreOf(finding),
      tags: [...new Set([...cves, ...cwes, ...tags])],
      // not as `guid`, for which the schema takes versions 1 to 5 of a UUID
      id,
      status,
      priority,
      asset,
      firstSeenAt: finding.firstSeenAt,
      lastSeenAt: finding.lastSeenAt,
    },
  };
}

/** Readers take the first sentence of a message for its title. */
const sentence = (title: string): string => (/[.!?]$/.test(title) ? title : `${title}.`);

/** The score does not match a severity that a person set. */
const scoreOf = ({ severity, cvssScore }: Finding): string =>
  cvssScore !== null && severityOfScore(cvssScore) === severity ? cvssScore.toFixed(1) : SCORES[severity];

const DECIDED: readonly Finding['status'][] = ['false_positive', 'risk_accepted', 'out_of_scope'];

/** A decision of people is a suppression (3.35): readers of the file do not report the finding again. */
function suppressionOf({ status, statusReason }: Finding): object {
  if (!DECIDED.includes(status)) return {};
  const justification = statusReason ? `${status}: ${statusReason}` : status;
  return { suppressions: [{ kind: 'external', status: 'accepted', justification }] };
}

function placeOf({ path, url, line, snippet }: ReportLocation, printed: string) {
  const uri = path === undefined ? url : path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  if (uri === undefined) return { logicalLocations: [{ fullyQualifiedName: printed, kind: 'resource' }] };
  const region = { ...(line && { startLine: line }), ...(snippet && { snippet: { text: snippet } }) };
  const artifactLocation = { uri };
  return { physicalLocation: line ? { artifactLocation, region } : { artifactLocation } };
}
