import { isDeepStrictEqual } from 'node:util';
import { fitsPattern } from '#shared/platform/runtime/wildcard.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { canMove, isOpen, moveStatus, type StatusFields } from '../finding/finding-status.ts';
import { toolKey } from '../finding/finding-words.ts';
import type { SuppressionRule } from './suppression-rule.ts';

/** The fields of an existing or a new finding that rules read. */
export type RuleSubject = StatusFields &
  Pick<StoredFinding, 'decidedAt' | 'ruleId' | 'tool' | 'cves' | 'asset'> &
  Partial<Pick<StoredFinding, 'locationDetail'>>;

type Circumstances = { at: string; assetTags: readonly string[] };

export const isActive = ({ enabled, expiresAt }: SuppressionRule, at: string): boolean =>
  enabled && (expiresAt === null || expiresAt > at);

/**
 * The change that the rules make to a finding: the first matching rule sets its status; without a matching rule the
 * finding gets its former status back. A person's later decision stays, and that of a VEX document.
 * @param rules in their order
 */
export function decideByRules(
  rules: readonly SuppressionRule[],
  finding: RuleSubject,
  around: Circumstances,
): Partial<StoredFinding> | undefined {
  const { status, suppressedBy, decidedAt = '' } = finding;
  if (!isOpen(status) && (!suppressedBy || suppressedBy.document)) return undefined;
  const rule = rules.find(
    (one) => isActive(one, around.at) && decidedAt < one.createdAt && meets(one, finding, around.assetTags),
  );
  return rule ? suppressed(finding, rule, around.at) : suppressedBy && released(finding, suppressedBy, around.at);
}

function suppressed(finding: RuleSubject, rule: SuppressionRule, at: string): Partial<StoredFinding> | undefined {
  const { id, name, reason, expiresAt, approver, status: to } = rule;
  const was = finding.suppressedBy?.was ?? finding.status;
  const suppressedBy = { id, name, ...(expiresAt && { until: expiresAt }), was };
  const current = [finding.suppressedBy, finding.status, finding.statusReason];
  if (isDeepStrictEqual(current, [suppressedBy, to, reason])) return undefined;
  const move = { to, at, reason, approver, byRule: true, suppressedBy } as const;
  return finding.status === to || canMove(finding.status, move) ? moveStatus(finding, move) : undefined;
}

type Suppression = NonNullable<RuleSubject['suppressedBy']>;

const released = (finding: RuleSubject, { name, was }: Suppression, at: string): Partial<StoredFinding> =>
  moveStatus(finding, { to: was, at, reason: `The rule ${name} no longer applies.`, byRule: true });

function meets({ conditions }: SuppressionRule, finding: RuleSubject, assetTags: readonly string[]): boolean {
  const { ruleId, tool, path, host, cve, assetTag } = conditions;
  return (
    (ruleId === undefined || ruleId === finding.ruleId) &&
    (tool === undefined || toolKey(tool) === toolKey(finding.tool)) &&
    (cve === undefined || finding.cves.includes(cve.toUpperCase())) &&
    (path === undefined || fitsPattern(path, finding.locationDetail?.path ?? '')) &&
    (host === undefined || hostsOf(finding).some((name) => fitsPattern(host, name))) &&
    (assetTag === undefined || assetTags.includes(assetTag))
  );
}

function hostsOf({ asset, locationDetail: { host, url } = {} }: RuleSubject): string[] {
  const urls = [url, asset.name].flatMap((text) => (text && URL.parse(text)?.hostname) || []);
  return [host ?? [], asset.name, urls].flat();
}
