import { assets, tagsOf } from '#shared/assets/asset/asset.ts';
import { type Test, testOf } from '#shared/assets/conditions/evaluate.ts';
import { branchesOf } from '#shared/exposure/asset-rules/branches.ts';
import { asksBranch } from '#shared/exposure/asset-rules/ruleset.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import { spelledAdvisory } from '#shared/vulnerabilities/vulnerability/contributions.ts';
import type { StoredVulnerability } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import type { TicketConditions, TicketRule } from './ticket-rule.ts';

/** The facts that conditions use. */
export type Facts = {
  severity: Severity;
  priority: number;
  epss: number;
  kev: boolean;
  tools: readonly string[];
  ruleIds: readonly string[];
  advisories: readonly string[];
  tags: readonly string[];
  applicationIds: readonly string[];
  assetId: string;
};

type FindingFacts = Pick<
  StoredFinding,
  'severity' | 'priority' | 'epss' | 'kev' | 'tool' | 'ruleId' | 'cves' | 'tags' | 'applicationIds' | 'asset'
>;

export const factsOfFinding = ({ epss = 0, kev, applicationIds = [], ...finding }: FindingFacts): Facts => ({
  severity: finding.severity,
  priority: finding.priority,
  epss,
  kev: kev === true,
  applicationIds,
  tools: [finding.tool],
  ruleIds: [finding.ruleId],
  advisories: finding.cves,
  tags: finding.tags,
  assetId: finding.asset.id,
});

type VulnerabilityFacts = Omit<StoredVulnerability, 'said' | 'createdBy'>;

export const factsOfVulnerability = (one: VulnerabilityFacts): Facts => ({
  severity: one.severity,
  priority: one.priority,
  epss: one.epss?.probability ?? 0,
  kev: one.kev !== undefined,
  tools: one.tools,
  ruleIds: one.ruleIds ?? [],
  advisories: [one.advisoryId, ...one.aliases],
  tags: one.tags,
  applicationIds: one.applicationIds ?? [],
  assetId: one.asset.id,
});

type AssetFacts = Parameters<Test>[0];
export type Assets = ReadonlyMap<string, AssetFacts>;

/** The assets of some facts by their ids; read only if a rule uses them. */
export async function readAssets(
  table: Table,
  rules: readonly Pick<TicketRule, 'conditions'>[],
  ids: readonly string[],
): Promise<Assets> {
  const asked = rules.flatMap(({ conditions }) => conditions.asset ?? []);
  if (asked.length === 0) return new Map();
  const read = await table.findMany(assets, ids, true);
  const branches = await branchesOf(table, read, { asksBranches: asked.some(asksBranch) });
  return new Map(
    read.map((asset) => [asset.id, { ...asset, tags: tagsOf(asset), branches: branches.get(asset.id) ?? [] }]),
  );
}

/** Whether all conditions are true. A deleted asset matches none. */
export function meets(conditions: TicketConditions, facts: Facts, around: Assets): boolean {
  const {
    severities,
    minPriority = 0,
    minEpss = 0,
    kev,
    tool,
    ruleId,
    advisory,
    tag,
    applicationId,
    asset,
  } = conditions;
  const has = (values: readonly string[], wanted: string | undefined) =>
    wanted === undefined || values.includes(wanted);
  const current = asset && around.get(facts.assetId);
  return (
    (severities === undefined || severities.includes(facts.severity)) &&
    facts.priority >= minPriority &&
    facts.epss >= minEpss &&
    (kev === undefined || facts.kev) &&
    has(facts.tools, tool) &&
    has(facts.ruleIds, ruleId) &&
    has(facts.advisories.map(spelledAdvisory), advisory && spelledAdvisory(advisory)) &&
    has(facts.tags, tag) &&
    has(facts.applicationIds, applicationId) &&
    (asset === undefined || (current !== undefined && testOf(asset)(current)))
  );
}
