import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { findCwes } from '../../readers/text.ts';
import type { ReportAsset } from '../../report/report.ts';

/** A vulnerability in the form of Semgrep's API for all repositories; `[]` for one that was closed there. */
export function draftOfVulnerability(entry: JsonObject): FindingDraft | [] | undefined {
  const advisory = fieldAt(entry, 'advisory');
  const ruleId = textAt(advisory, 'ruleId');
  const name = textAt(entry, 'matchedDependency', 'name');
  if (!ruleId || !name) return undefined;
  if (CLOSED.has(textAt(entry, 'triage', 'status')?.toUpperCase() ?? '')) return [];
  const cves = textsAt(advisory, 'references', 'cveIds');
  const fixedVersions = textsAt(entry, 'closestSafeDependency', 'versionSpecifier');
  const component = { name, version: textAt(entry, 'matchedDependency', 'versionSpecifier'), fixedVersions };
  const place = textAt(entry, 'dependencyFileLocation', 'path') ?? '';
  const problem = packageProblem({ id: cves[0] ?? ruleId, aliases: [...cves, ruleId], component, place });
  const word = textAt(advisory, 'severity');
  return {
    ...problem,
    ruleId,
    severity: severityOfWord(word) ?? 'info',
    toolSeverity: word,
    description: [textAt(advisory, 'description'), reachableIf(advisory)].filter((text) => text).join('\n\n'),
    cwes: findCwes(...textsAt(advisory, 'references', 'cweIds')),
    asset: assetOf(entry),
    location: { ...problem.location, line: indexAt(entry, 'dependencyFileLocation', 'startLine') },
    references: textsAt(advisory, 'references', 'urls'),
    tags: [...textsAt(entry, 'exposureType'), ...textsAt(entry, 'transitivity'), ...textsAt(advisory, 'ecosystem')],
    identity: [...problem.identity, textAt(entry, 'repositoryName') ?? ''],
    anyLine: true,
  };
}

const CLOSED = new Set(['CLOSED', 'FIXED', 'IGNORED', 'DISMISSED', 'REMOVED']);

function reachableIf(advisory: unknown): string | undefined {
  const condition = textAt(advisory, 'reachableIf');
  return condition && `Reachable if ${condition}`;
}

function assetOf(entry: JsonObject): ReportAsset | null {
  const name = textAt(entry, 'repositoryName');
  return name ? { type: 'repository', value: name } : null;
}
