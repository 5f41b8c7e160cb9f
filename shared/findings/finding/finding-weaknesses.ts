import { lookOf } from '#shared/assets/controls/tool-look.ts';
import type { Look, Weakness } from '#shared/assets/controls/weakness.ts';
import { weaknessOfCwe } from '#shared/assets/controls/weakness-cwes.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import type { Severity } from '#shared/reports/report/report.ts';

type Classified = {
  severity: Severity;
  cves: readonly string[];
  cwes: readonly string[];
  tool: string;
  ruleId: string;
  asset: { type: AssetType };
};

/** A finding may name many CWEs; the first say most. */
const MAX_WEAKNESSES = 3;

/**
 * The weaknesses of a finding, for the controls of frameworks. An informational finding has none. A known vulnerability
 * is a missing update, whatever weakness the software had; otherwise the CWEs decide, and without CWEs the subject of
 * the tool.
 */
export function weaknessesOf(finding: Classified): Weakness[] {
  const { severity, cves, cwes } = finding;
  if (severity === 'info') return [];
  if (cves.length > 0 || ADVISORY.test(finding.ruleId)) return [missingUpdate(finding)];
  const named = new Set(cwes.flatMap((cwe) => weaknessOfCwe(cwe) ?? []));
  if (named.size > 0) return [...named].slice(0, MAX_WEAKNESSES);
  return bySubject(finding);
}

/** Names from databases of vulnerabilities. */
const ADVISORY = /^(?:CVE|GHSA|GO|PYSEC|RUSTSEC|SNYK|OSV|MAL|ALAS|DSA|USN|RHSA)-/i;

const missingUpdate = ({ asset }: Pick<Classified, 'asset'>): Weakness =>
  asset.type === 'host' || asset.type === 'edr_device' ? 'patching' : 'components';

type Named = Pick<Classified, 'tool' | 'ruleId' | 'asset'>;

function bySubject({ tool, ruleId }: Named): Weakness[] {
  const look = lookOf(tool);
  if (look === 'cloud') return [ofAccount(ruleId)];
  if (look) return SUBJECTS[look] ?? [];
  return INFRASTRUCTURE.has(tool.toLowerCase()) ? ['code_hardening'] : [];
}

const SUBJECTS: Partial<Record<Look, Weakness[]>> = {
  secrets: ['secrets'],
  dependencies: ['components'],
  web: ['web_hardening'],
  host: ['host_hardening'],
  ports: ['exposure'],
  tls: ['transport'],
  cluster: ['cluster_hardening'],
  infrastructure_code: ['code_hardening'],
};

/** Tools for infrastructure code that prove nothing when they report nothing. */
const INFRASTRUCTURE = new Set(['hadolint', 'kics', 'terrascan', 'tfsec']);

/** Checks of clouds name the service and the setting: the first that fits decides. */
function ofAccount(check: string): Weakness {
  const [, weakness = 'cloud_hardening'] = SETTINGS.find(([words]) => words.test(check)) ?? [];
  return weakness;
}

const SETTINGS: readonly [RegExp, Weakness][] = [
  [/backup|snapshots?_retention|versioning|point_in_time/i, 'backup'],
  [/secure_transport|https|tls|ssl|in_transit/i, 'transport'],
  [/public|internet|ingress|networkacl|securitygroup/i, 'exposure'],
  [/cloudtrail|cloudwatch|flow_logs|logging|guardduty|securityhub|config_recorder|^(?:macie|inspector)/i, 'monitoring'],
  [/encrypt|kms/i, 'encryption_at_rest'],
  [/^(?:iam|account|accessanalyzer|cognito|organizations|sso|entra)|mfa|password/i, 'cloud_identity'],
];
