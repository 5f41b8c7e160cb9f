import { type CsvRow, cellOf } from '../../readers/csv-entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { htmlText } from '../../readers/html.ts';
import { indexAt } from '../../readers/json.ts';
import { findCves, paragraphs } from '../../readers/text.ts';
import type { ReportAsset, Severity } from '../../report/report.ts';
import { COLUMNS } from './columns.ts';

const fieldOf = (row: CsvRow, field: keyof typeof COLUMNS): string | undefined => {
  const cell = cellOf(row, ...COLUMNS[field]);
  return cell === '-' ? undefined : cell;
};

export function hostOf(row: CsvRow): ReportAsset | undefined {
  const address = fieldOf(row, 'host')?.split(/[,\s]/, 1)[0];
  return address && /^[\da-f.:]+$/i.test(address) ? { type: 'host', value: address } : undefined;
}

export const namesOf = (row: CsvRow): (string | undefined)[] => [fieldOf(row, 'dnsName'), fieldOf(row, 'netbios')];

/** A detection on a host and port. Rows without a QID are a summary, or a host without findings. */
export function draftOf(row: CsvRow): FindingDraft | [] | undefined {
  const [qid, asset] = [fieldOf(row, 'qid'), hostOf(row)];
  if (!qid) return [];
  if (!asset) return undefined;
  if (isGone(row)) return [];
  const title = fieldOf(row, 'title') ?? `QID ${qid}`;
  const port = indexAt({ port: fieldOf(row, 'port') }, 'port');
  const protocol = fieldOf(row, 'protocol')?.toLowerCase();
  const vhost = [fieldOf(row, 'fqdn'), fieldOf(row, 'instance')].filter((text) => text !== undefined);
  return {
    title,
    description: paragraphs(htmlText(fieldOf(row, 'threat')), htmlText(fieldOf(row, 'impact'))),
    ...severityOf(row),
    ruleId: qid,
    cves: findCves(fieldOf(row, 'cve')),
    ...cvssOf(row),
    asset,
    location: { host: asset.value, port, protocol },
    evidence: [{ kind: 'text', content: fieldOf(row, 'result') ?? '' }],
    references: fieldOf(row, 'vendor')?.match(/https?:\/\/[^\s,"<>]+/g) ?? [],
    remediation: htmlText(fieldOf(row, 'solution')),
    tags: tagsOf(row),
    identity: [qid, port === undefined ? 'host' : `${port}/${protocol ?? ''}`, ...vhost],
  };
}

const isGone = (row: CsvRow): boolean =>
  fieldOf(row, 'status')?.toLowerCase() === 'fixed' ||
  /^approved$/i.test(fieldOf(row, 'falsePositive') ?? '') ||
  /^(?:1|yes|true)$/i.test(fieldOf(row, 'ignored') ?? '');

/**
 * Qualys rates vulnerabilities from 1 (minimal) to 5 (urgent), and also gathered information (Ig), which is no risk.
 */
function severityOf(row: CsvRow): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const toolSeverity = fieldOf(row, 'severity');
  if (/^(?:ig|info)/i.test(fieldOf(row, 'type') ?? '')) return { severity: 'info', toolSeverity };
  const byNumber = RATINGS[Number(toolSeverity)] ?? 'info';
  return { severity: severityOfWord(toolSeverity) ?? byNumber, toolSeverity };
}

const RATINGS: Severity[] = ['info', 'info', 'low', 'medium', 'high', 'critical'];

/** `7.4 (AV:N/AC:H/...)`: score and vector. */
function cvssOf(row: CsvRow): Pick<FindingDraft, 'cvssScore' | 'cvssVector'> {
  const [three, two] = [fieldOf(row, 'cvss3'), fieldOf(row, 'cvss2')].map(scoreOf);
  if (three) return { ...three, cvssVector: three.cvssVector && `CVSS:3.1/${three.cvssVector}` };
  return two ?? {};
}

function scoreOf(text: string | undefined): Pick<FindingDraft, 'cvssScore' | 'cvssVector'> | undefined {
  const score = /^\d{1,2}(?:\.\d{1,2})?/.exec(text ?? '')?.[0];
  return score === undefined
    ? undefined
    : { cvssScore: Number(score), cvssVector: /AV:[A-Za-z:/]{1,100}/.exec(text ?? '')?.[0] };
}

function tagsOf(row: CsvRow): string[] {
  const pci = /^(?:1|yes|fail)$/i.test(fieldOf(row, 'pci') ?? '') ? ['PCI'] : [];
  const potential = /^p/i.test(fieldOf(row, 'type') ?? '') ? ['potential'] : [];
  return [fieldOf(row, 'category') ?? '', ...pci, ...potential];
}
