import { readdirSync, readFileSync } from 'node:fs';
import { reportFormats } from '#shared/reports/formats/declared.ts';
import { readReport } from '#shared/reports/formats/read.ts';
import type { ReportFormat } from '#shared/reports/readers/format.ts';
import type { ReportEvent, ReportFinding } from '#shared/reports/report/report.ts';

const samples = new URL('../test/fixtures/reports/', import.meta.url);

/** Every finding has these. */
const ALWAYS = ['title', 'severity', 'ruleId'];

/** `docs/report-formats.md`: the formats of the registry, with the fields that their sample reports fill. */
export async function reportDocument(): Promise<string> {
  const rows = await Promise.all(reportFormats.map(rowOf));
  return `# Report formats

Made by \`npm run docs\` from \`shared/reports/formats/list.ts\` and the sample reports of the tests. \`format: "auto"\` recognises each of
them. Every finding has a title, a severity and the tool's own rule (\`ruleId\`); the table names the further fields that the sample
reports of a format fill, if the tool knows them. For any other tool there is [the generic report](generic-report.md).

OpenVEX, CSAF and the analyses of CycloneDX decide on findings: [decisions/0072-vex-documents.md](decisions/0072-vex-documents.md).

A format that *names its targets* closes findings only on the hosts or sites that the report itself names as reached.
A report that is incomplete closes nothing, and a control or package that a tool skipped keeps its findings open: [closing.md](closing.md).
Nmap's open ports are rated by their services: [exposed-services.md](exposed-services.md).

*Inventory* lists what the samples of a format report about an asset besides problems: services, software and operating
system ([decisions/0028-inventory.md](decisions/0028-inventory.md)).

| format | written by | fills | of assets | inventory | closing |
|---|---|---|---|---|---|
${rows.join('\n')}

## The same tool in SARIF

A problem that a tool reports in its own format and in SARIF is one finding, where both name rule, file and line. The exceptions:

${reportFormats.flatMap(({ id, inSarif }) => (inSarif ? `- \`${id}\`: ${inSarif}` : [])).join('\n')}
`;
}

async function rowOf({ id, label, namesTargets }: ReportFormat): Promise<string> {
  const events = await eventsOf(id);
  const findings = events.flatMap((event) => (event.kind === 'finding' ? [event.finding] : []));
  const named = events.flatMap((event) => (event.kind === 'inventory' ? Object.keys(event.inventory) : []));
  const inventory = [...new Set(named)].filter((name) => name !== 'asset').sort();
  const fields = new Set(findings.flatMap(fieldsOf));
  const assets = new Set(findings.map(({ asset }) => asset?.type ?? 'the target of the import'));
  const fills = [...fields].sort().join(', ');
  return `| \`${id}\` | ${label} | ${fills} | ${[...assets].sort().join(', ')} | ${inventory.join(', ')} | ${namesTargets ? 'names its targets' : ''} |`;
}

async function eventsOf(format: string): Promise<ReportEvent[]> {
  const events: ReportEvent[] = [];
  for (const file of readdirSync(new URL(format, samples))) {
    const bytes = readFileSync(new URL(`${format}/${file}`, samples));
    const open = async function* () {
      yield bytes;
    };
    for await (const event of readReport(format, open)) events.push(event);
  }
  return events;
}

/** The filled fields of a finding: `location.path`, `component.purl`, `cves`. */
function fieldsOf({ identity: _identity, asset: _asset, ...finding }: ReportFinding): string[] {
  return Object.entries(finding).flatMap(([name, value]) => {
    if (ALWAYS.includes(name) || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    const parts = name === 'location' || name === 'component' ? Object.keys(value as object) : [];
    return parts.length > 0 ? parts.map((part) => `${name}.${part}`) : name === 'location' ? [] : [name];
  });
}
