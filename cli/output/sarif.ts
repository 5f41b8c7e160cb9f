import { fileOf, LEVELS, pageOf, placeOf, type Reported, type Severity } from './reported.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Scores from which code scanning reads a severity: the middle of its band (CVSS 3.1, section 5). */
const SCORES: Record<Severity, number> = { critical: 9.5, high: 8, medium: 5.5, low: 2, info: 0 };

const DECIDED: readonly unknown[] = ['false_positive', 'risk_accepted', 'out_of_scope'];

/** Findings as SARIF 2.1.0: a run for each tool. No findings are a run without results, which closes former alerts. */
export function sarifOf(findings: readonly Reported[], baseUrl: string): object {
  const byTool = Map.groupBy(findings, ({ tool }) => tool ?? 'exposure');
  if (byTool.size === 0) byTool.set('exposure', []);
  return { $schema: SCHEMA, version: '2.1.0', runs: [...byTool].map(([name, some]) => runOf(name, some, baseUrl)) };
}

function runOf(name: string, findings: readonly Reported[], baseUrl: string): object {
  const rules = Map.groupBy(findings, ({ ruleId }) => ruleId);
  const places = new Map([...rules.keys()].map((id, index) => [id, index]));
  return {
    tool: { driver: { name, rules: [...rules].map(([id, some]) => ruleOf(id, some)) } },
    results: findings.map((finding) => resultOf(finding, places.get(finding.ruleId), baseUrl)),
  };
}

/** Code scanning reads the severity of a result from its rule: the highest of its findings. */
const ruleOf = (id: string, findings: readonly Reported[]): object => ({
  id,
  shortDescription: { text: findings[0]?.title || id },
  properties: { 'security-severity': Math.max(...findings.map(({ severity }) => SCORES[severity])).toFixed(1) },
});

function resultOf(finding: Reported, ruleIndex: number | undefined, baseUrl: string): object {
  const { id, ruleId, title, severity, status, isNew, cves = [], cwes = [], asset, firstSeenAt } = finding;
  return {
    ruleId,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: title || ruleId },
    locations: [locationOf(finding)],
    partialFingerprints: { 'exposureFinding/v1': id },
    hostedViewerUri: pageOf(baseUrl, id),
    ...(isNew !== undefined && { baselineState: isNew ? 'new' : 'unchanged' }),
    ...(DECIDED.includes(status) && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: status }],
    }),
    properties: {
      'security-severity': SCORES[severity].toFixed(1),
      tags: [...new Set([...cves, ...cwes])],
      ...(asset && { asset: asset.name }),
      firstSeenAt,
    },
  };
}

function locationOf(finding: Reported): object {
  const file = fileOf(finding);
  if (!file) return { logicalLocations: [{ fullyQualifiedName: placeOf(finding), kind: 'resource' }] };
  const uri = file.path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri }, ...(file.line && { region: { startLine: file.line } }) } };
}
