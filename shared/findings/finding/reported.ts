import type { Exploitation } from '#shared/advisories/facts.ts';
import { bounded } from '#shared/reports/readers/text.ts';
import type { ReportFinding, ReportLocation } from '#shared/reports/report/report.ts';
import type { StoredFinding } from './finding.ts';
import type { FoundSecret } from './found-secret.ts';

/** Limits of texts and lists in a list row, which stays within 1 KB; the rest is in `identifiers`. */
export const MAX_LISTED = { title: 200, location: 160, name: 120, cves: 5, cwes: 3, tags: 4 } as const;

export const listedAssetName = (value: string): string => bounded(value, MAX_LISTED.name);

/**
 * A finding of a report whose secret is a keyed hash. `isKeyed`: its identity is a keyed hash too, because it contains
 * a secret.
 */
export type KeyedFinding = Omit<ReportFinding, 'secret'> & { secret?: FoundSecret; isKeyed?: true };

/** A problem as a report or a person describes it. */
export type DescribedFinding = Omit<KeyedFinding, 'asset' | 'identity' | 'isKeyed'>;

type Described = { finding: DescribedFinding; contentHash: string };

/** The fields of a finding that come from the report, for a new or a changed finding. */
export function reportedFields(
  { finding, contentHash }: Described,
  { commit }: { commit?: string },
  exploitation: Exploitation,
) {
  const { title, cves, cwes, tags, location, severity, cvssScore } = finding;
  const isCut = cves.length > MAX_LISTED.cves || cwes.length > MAX_LISTED.cwes || tags.length > MAX_LISTED.tags;
  return {
    title: bounded(title, MAX_LISTED.title),
    severity,
    toolSeverity: finding.toolSeverity,
    epss: exploitation.epss,
    kev: exploitation.kev,
    cves: cves.slice(0, MAX_LISTED.cves),
    cwes: cwes.slice(0, MAX_LISTED.cwes),
    tags: tags.slice(0, MAX_LISTED.tags),
    identifiers: isCut ? { cves, cwes, tags } : undefined,
    cvssScore,
    cvssVector: finding.cvssVector,
    location: bounded(locationLine(location), MAX_LISTED.location),
    locationDetail: { ...location, commit: location.commit ?? commit },
    otherLocations: finding.otherLocations,
    component: finding.component,
    secret: finding.secret,
    check: finding.check,
    ruleId: bounded(finding.ruleId, MAX_LISTED.name),
    description: finding.description,
    evidence: finding.evidence,
    references: finding.references,
    remediation: finding.remediation,
    contentHash,
  } satisfies Partial<StoredFinding>;
}

/** One printable line: `src/app.ts:12`, a URL, `10.0.0.7:443/tcp`. */
function locationLine({ path, line, url, host, port, protocol }: ReportLocation): string {
  if (path) return line === undefined ? path : `${path}:${line}`;
  if (url) return url;
  const place = port === undefined ? (host ?? '') : `${host ?? ''}:${port}`;
  return protocol && port !== undefined ? `${place}/${protocol}` : place;
}
