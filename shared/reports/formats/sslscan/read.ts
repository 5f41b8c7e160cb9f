import { readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { lookedAt } from '../../readers/ports-looked.ts';
import { Targets } from '../../readers/targets.ts';
import type { XmlElement } from '../../readers/xml.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { problemsOf } from './problems.ts';

/** The XML of sslscan: the offer of each server, from which the reader makes problems. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'sslscan' };
  const scan: Scan = { targets: new Targets(), ports: new Set(), failures: 0 };
  const tests = xmlEntries(open, ['document/ssltest', 'document/error']);
  yield* readEntries(tests, (element) => draftsOf(element, scan), 'the test names no host or no port');
  if (scan.failures === 0 && scan.ports.size === 0)
    throw new ReportError('unsupported_format', 'The XML has no <ssltest>: send what sslscan --xml writes.');
  if (scan.failures > 0) yield { kind: 'incomplete', code: 'not_reached', count: scan.failures, thing: 'server' };
  yield lookedAt(scan.ports);
  yield* scan.targets.events();
}

type Scan = { targets: Targets; ports: Set<number>; failures: number };

function draftsOf({ name, attributes, ...rest }: XmlElement, scan: Scan): FindingDraft[] | undefined {
  if (name === 'error') {
    scan.failures += 1;
    return [];
  }
  const port = Number(attributes.port);
  const host = attributes.host?.trim();
  if (!host || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const asset = { type: 'host', value: host } as const;
  scan.targets.reached(asset, [attributes.sniname]);
  scan.ports.add(port);
  return problemsOf({ name, attributes, ...rest }).map(
    ({ rule, title, severity, cve, cwe, detail, seen, remediation }) => ({
      title,
      severity,
      ruleId: rule,
      cves: cve ? [cve] : [],
      cwes: cwe ? [cwe] : [],
      asset,
      location: { host, port, protocol: 'tcp' },
      evidence: [{ kind: 'text', content: seen ?? '' }],
      remediation,
      tags: ['tls'],
      identity: [rule, detail ?? '', String(port)],
    }),
  );
}
