import { type CsvRow, cellOf } from '../../readers/csv-entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { indexAt, numberAt } from '../../readers/json.ts';
import { findCves, paragraphs } from '../../readers/text.ts';
import type { ReportAsset, Severity } from '../../report/report.ts';

export function hostOf(row: CsvRow): ReportAsset | undefined {
  const value = cellOf(row, 'IP', 'Hostname');
  return value ? { type: 'host', value } : undefined;
}

/** A result of a test (NVT) on a host and port. */
export function draftOf(row: CsvRow): FindingDraft | [] | undefined {
  const [oid, name, asset] = [cellOf(row, 'NVT OID', 'OID'), row['NVT Name'], hostOf(row)];
  if (!oid || !asset) return undefined;
  const toolSeverity = row.Severity ?? '';
  if (/^false positive$/i.test(toolSeverity)) return [];
  const port = indexAt(row, 'Port') || undefined;
  const protocol = row['Port Protocol']?.toLowerCase();
  return {
    title: name ?? `Test ${oid}`,
    description: described(row),
    severity: severityOfWord(toolSeverity) ?? OWN_WORDS.get(toolSeverity.toLowerCase()) ?? 'info',
    toolSeverity,
    ruleId: oid,
    cves: findCves(row.CVEs, oid),
    cvssVector: row.Vector,
    cvssScore: numberAt(row, 'CVSS') || undefined,
    asset,
    location: { host: asset.value, ...(port && { port, protocol }) },
    evidence: [{ kind: 'text', content: row['Specific Result'] ?? '' }],
    references: row['Other References']?.match(/https?:\/\/[^\s,"<>]+/g) ?? [],
    remediation: row.Solution,
    tags: tagsOf(row),
    identity: [oid, port ? `${port}/${protocol ?? ''}` : 'host'],
  };
}

/** `Log` and `Debug` report observations; `Alarm` is a word of old versions. */
const OWN_WORDS = new Map<string, Severity>([
  ['alarm', 'high'],
  ['log', 'info'],
  ['debug', 'info'],
]);

function described(row: CsvRow): string {
  const affected = row['Affected Software/OS'];
  return paragraphs(row.Summary, row['Vulnerability Insight'], row.Impact, affected && `Affected: ${affected}`);
}

function tagsOf(row: CsvRow): string[] {
  const kind = row['Solution Type'];
  const product = /cpe:\/[\w:.~%-]{1,200}/.exec(row['Product Detection Result'] ?? '')?.[0];
  const certs = row.CERTs?.split(/[\n,]+/).map((cert) => cert.trim()) ?? [];
  return [kind ? `solution:${kind}` : '', row.QoD ? `qod:${row.QoD}` : '', product ?? '', ...certs];
}
