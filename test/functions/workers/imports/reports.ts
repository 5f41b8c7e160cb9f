import type { Submission } from '#shared/ingest/submission.ts';

export type Problem = {
  rule: string;
  file: string;
  text?: string;
  level?: 'error' | 'warning' | 'note';
  line?: number;
};

export const problems = (count: number, from = 0): Problem[] =>
  Array.from({ length: count }, (_, n) => ({ rule: `rule-${(from + n) % 7}`, file: `src/file-${from + n}.ts` }));

/** A SARIF report of these problems. */
export function sarif(
  found: readonly Problem[],
  { tool = 'acme-scan', finished = true, automation = 'all' } = {},
): string {
  const results = found.map(({ rule, file, text = `Problem in ${file}`, level = 'error', line = 7 }) => ({
    ruleId: rule,
    level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } } }],
    partialFingerprints: { primaryLocationLineHash: `${rule}:${file}` },
  }));
  const rules = [...new Set(found.map(({ rule }) => rule))].map((id) => ({ id, shortDescription: { text: id } }));
  const run = {
    tool: { driver: { name: tool, rules } },
    automationDetails: { id: automation },
    invocations: [{ executionSuccessful: finished }],
    results,
  };
  return JSON.stringify({ version: '2.1.0', runs: [run] });
}

/** A repository as the target of a scan. */
export const repository = (name: string) =>
  ({ type: 'repository', value: `https://git.example.com/shop/${name}` }) as const;

/** The submission of a CI job for its main branch. */
export const codeScan = (content: string, more: Partial<Submission> = {}): Submission => ({
  source: 'import',
  format: 'sarif',
  report: { content },
  target: repository('api'),
  ref: 'main',
  ...more,
});

type Host = { address: string; ports: number[]; state?: 'up' | 'down' };

/** An Nmap report of these hosts and their open ports; `tried` is what the scan looked at, `args` its command line. */
export function nmap(
  hosts: readonly Host[],
  { finished = true, tried = { tcp: '1-1000' } as Record<string, string>, args = 'nmap -oX -' } = {},
): string {
  const host = ({ address, ports, state = 'up' }: Host) => `
    <host><status state="${state}" reason="${state === 'up' ? 'syn-ack' : 'no-response'}"/>
      <address addr="${address}" addrtype="ipv4"/><hostnames/>
      <ports><extraports state="closed" count="10"/>${ports.map(port).join('')}</ports></host>`;
  const port = (number: number) =>
    `<port protocol="tcp" portid="${number}"><state state="open" reason="syn-ack"/><service name="http"/></port>`;
  const end = '<runstats><finished exit="success"/><hosts up="1" down="0" total="1"/></runstats></nmaprun>';
  const extent = Object.entries(tried).map(
    ([protocol, ports]) => `<scaninfo protocol="${protocol}" services="${ports}"/>`,
  );
  return `<?xml version="1.0"?><!DOCTYPE nmaprun><nmaprun scanner="nmap" args="${args}" version="7.94">${extent.join('')}${hosts.map(host).join('')}${finished ? end : ''}`;
}

/** The submission of a scanner for its lease of a range. */
export const networkScan = (content: string, more: Partial<Submission> = {}): Submission => ({
  source: 'scanner',
  format: 'nmap',
  report: { content },
  target: { type: 'cidr', value: '10.0.0.0/24' },
  zone: 'office',
  scanType: 'network',
  outcome: 'completed',
  ...more,
});
