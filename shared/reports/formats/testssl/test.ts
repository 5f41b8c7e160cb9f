import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { indexAt, textAt } from '../../readers/json.ts';
import { findCves, findCwes, oneLine } from '../../readers/text.ts';
import type { ReportAsset } from '../../report/report.ts';

/** The line of one test; each encoding has its own way to name the target. */
export type Test = {
  id: string;
  severity: string;
  text: string;
  host?: string;
  address?: string;
  port?: number;
  ids: string;
};

/** A line of the CSV or the JSON: `name/address` is the target; a target without a name has only its address. */
export function testOf(line: unknown): Test | undefined {
  const [id, severity] = [textAt(line, 'id'), textAt(line, 'severity')];
  if (!id || !severity) return undefined;
  const [host = '', address = ''] = (textAt(line, 'fqdn/ip') ?? textAt(line, 'ip') ?? '').split('/');
  const ids = ['cve', 'cwe'].map((key) => textAt(line, key) ?? '').join(' ');
  return {
    id,
    severity: severity.toUpperCase(),
    text: textAt(line, 'finding') ?? '',
    host: host.trim() || address.trim() || undefined,
    address: address.trim() || undefined,
    port: indexAt(line, 'port'),
    ids,
  };
}

export const assetOf = ({ host }: Test): ReportAsset | undefined => (host ? { type: 'host', value: host } : undefined);

/**
 * The problem of one test. OK is no problem, and INFO only describes the server's offer. Addresses of one name share
 * their configuration, so they are one finding.
 */
export function draftOf(test: Test): FindingDraft | undefined | null {
  const severity = severityOfWord(test.severity);
  if (severity === undefined || severity === 'info') return null;
  const asset = assetOf(test);
  if (!asset) return undefined;
  const { id, text, port } = test;
  return {
    title: text ? `${id}: ${oneLine(text)}` : id,
    severity,
    toolSeverity: test.severity,
    ruleId: id,
    cves: findCves(test.ids),
    cwes: findCwes(test.ids),
    asset,
    location: { host: asset.value, port, protocol: 'tcp' },
    evidence: [{ kind: 'text', content: text }],
    tags: ['tls'],
    identity: [id, String(port ?? '')],
  };
}

/** FATAL and WARN are failures of the scan: that test proves nothing. Missing engines of OpenSSL affect no test. */
export const troubleOf = ({ id, severity, text }: Test): string | undefined =>
  (severity === 'FATAL' || severity === 'WARN') && id !== 'engine_problem' ? oneLine(`${id}: ${text}`) : undefined;
