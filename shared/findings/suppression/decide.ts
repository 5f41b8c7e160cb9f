import { isDeepStrictEqual } from 'node:util';
import type { AssetFacts } from '#shared/assets/asset/asset-filter-fields.ts';
import { seen } from '#shared/platform/filter/rule.ts';
import { meets, type Ready } from '../branches/tried-rules.ts';
import { findings, type StoredFinding } from '../finding/finding.ts';
import { canMove, isOpen, moveStatus, type StatusFields } from '../finding/finding-status.ts';
import { isActive, type SuppressionRule } from './suppression-rule.ts';

/** The fields of an existing or a new finding that rules read. */
export type RuleSubject = StatusFields &
  Pick<StoredFinding, 'decidedAt' | 'ruleId' | 'tool' | 'cves' | 'asset'> &
  Partial<Pick<StoredFinding, 'locationDetail'>>;

/** A rule that is ready to be tried on findings. */
export type ReadyRule = SuppressionRule & Ready;

type Circumstances = { at: string; behind: AssetFacts | undefined };

/**
 * The change that the rules make to a finding: the first matching rule sets its status; without a matching rule the
 * finding gets its former status back. A person's later decision stays, and that of a VEX document.
 * @param rules in their order
 */
export function decideByRules(
  rules: readonly ReadyRule[],
  finding: RuleSubject,
  around: Circumstances,
): Partial<StoredFinding> | undefined {
  const { status, suppressedBy, decidedAt = '' } = finding;
  if (!isOpen(status) && (!suppressedBy || suppressedBy.document)) return undefined;
  const { at, behind } = around;
  // a rule sees the finding as if no rule held it: what the rule does never ends the rule
  const free = { createdAt: at, updatedAt: at, ...finding, status: suppressedBy?.was ?? status };
  const current = seen(findings, free, { behind });
  const rule = rules.find((one) => isActive(one, at) && decidedAt < one.createdAt && meets(one, current));
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
