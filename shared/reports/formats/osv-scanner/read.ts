import { newestCvss } from '../../readers/cvss.ts';
import { readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { advisorySeverity, packageProblem } from '../../readers/package-problem.ts';
import { findCwes, pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { fixedVersionsOf, versionedPurl } from './affected.ts';

/**
 * OSV-Scanner's packages with the records of osv.dev. Several databases describe one problem; the scanner groups their
 * records, and a group is one finding. The scanner leaves out ignored records.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'osv-scanner' };
  const entries = nestedEntries(open, {
    entries: [['results', '[]', 'packages', '[]', 'vulnerabilities', '[]']],
    isReport: ({ results }) => results === null || Array.isArray(results),
    required: [
      ['results', '[]', 'source'],
      ['results', '[]', 'packages', '[]', 'package'],
    ],
  });
  yield* readEntries(entries, draftOf, 'the record has no id, or its package no name');
}

function draftOf(record: JsonObject, { parents }: NestedEntry): FindingDraft | undefined {
  const [result, found] = parents.slice(-2);
  const name = textAt(found, 'package', 'name') ?? textAt(found, 'package', 'commit');
  const own = textAt(record, 'id');
  if (!own || !name) return undefined;
  const group = groupsOf(found).get(own);
  const version = textAt(found, 'package', 'version');
  const affected = listAt(record, 'affected').filter((one) => textAt(one, 'package', 'name') === name);
  const problem = packageProblem({
    id: leadOf(group ? textsAt(group, 'ids') : [own]),
    aliases: [own, ...textsAt(group, 'ids'), ...textsAt(group, 'aliases'), ...textsAt(record, 'aliases')],
    summary: textAt(record, 'summary'),
    component: {
      name,
      version,
      purl: versionedPurl(affected, version),
      fixedVersions: fixedVersionsOf(affected, version),
    },
    place: pathInTree(textAt(result, 'source', 'path') ?? ''),
  });
  return {
    ...problem,
    ...severityOf(record, group),
    description: textAt(record, 'details'),
    cwes: findCwes(...cwesOf(record), ...affected.flatMap(cwesOf)),
    asset: null,
    ...(isUncalled(group, own) && { tags: [...problem.tags, 'unreachable'] }),
    references: listAt(record, 'references').flatMap((reference) => textsAt(reference, 'url')),
  };
}

/** The scanner looks at calls of Go and Rust code. */
const isUncalled = (group: unknown, id: string): boolean =>
  [fieldAt(group, 'experimental_analysis', id), fieldAt(group, 'experimentalAnalysis', id)].some(
    (analysis) => fieldAt(analysis, 'called') === false,
  );

const known = new WeakMap<JsonObject, Map<string, unknown>>();

/** The groups of a package by the ids of their records, made once for all of its records. */
function groupsOf(found: JsonObject = {}): Map<string, unknown> {
  const groups =
    known.get(found) ??
    new Map(listAt(found, 'groups').flatMap((group) => textsAt(group, 'ids').map((id) => [id, group] as const)));
  known.set(found, groups);
  return groups;
}

/** GitHub's record is the reviewed one of most ecosystems, and its id never changes. */
function leadOf(ids: readonly string[]): string {
  const sorted = [...ids].sort();
  return sorted.find((id) => id.startsWith('GHSA-')) ?? sorted[0] ?? '';
}

/**
 * The word of GitHub's record, otherwise the record's vector, otherwise the highest score of its group. Packages in the
 * database of malicious packages were made to do harm, which no score expresses.
 */
function severityOf(record: JsonObject, group: unknown): Partial<FindingDraft> {
  const word = textAt(record, 'database_specific', 'severity') ?? distributionWord(record);
  const cvss = newestCvss(listAt(record, 'severity').map((one) => ({ cvssVector: vectorOf(one) })));
  const cvssScore = cvss.cvssVector ? undefined : numberAt(group, 'max_severity');
  const malicious = textAt(record, 'id')?.startsWith('MAL-') ? { severity: 'critical' as const } : {};
  return { ...cvss, ...(cvssScore && { cvssScore }), ...malicious, ...advisorySeverity(word) };
}

const vectorOf = (severity: unknown): string | undefined =>
  /^CVSS_V/.test(textAt(severity, 'type') ?? '') ? textAt(severity, 'score') : undefined;

/** Ubuntu's priority replaces a vector. */
const distributionWord = (record: JsonObject): string | undefined =>
  listAt(record, 'severity').flatMap((one) => (vectorOf(one) ? [] : textsAt(one, 'score')))[0];

const cwesOf = (part: unknown): string[] => {
  const specific = fieldAt(part, 'database_specific');
  return [...textsAt(specific, 'cwe_ids'), ...listAt(specific, 'cwes').flatMap((cwe) => textsAt(cwe, 'cweId'))];
};
