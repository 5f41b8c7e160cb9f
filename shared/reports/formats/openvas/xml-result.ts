import type { CsvRow } from '../../readers/csv-entries.ts';
import { childOf, childrenOf, textIn, type XmlElement } from '../../readers/xml.ts';

/** A result of the XML as a row of the CSV. */
export function rowOfResult(result: XmlElement): CsvRow {
  const nvt = childOf(result, 'nvt');
  const host = childOf(result, 'host');
  const tags = tagsOf(textIn(nvt, 'tags') ?? '');
  const port = /(\d{1,5})\/(\w+)/.exec(textIn(result, 'port') ?? '');
  const refs = childrenOf(childOf(nvt, 'refs'), 'ref').map(({ attributes }) => attributes);
  const ids = (...types: string[]) => refs.flatMap(({ type = '', id }) => (types.includes(type) && id ? [id] : []));
  return filled({
    IP: host?.text,
    Hostname: textIn(host, 'hostname'),
    Port: port?.[1],
    'Port Protocol': port?.[2],
    CVSS: textIn(result, 'severity') ?? textIn(nvt, 'cvss_base'),
    Vector: textIn(childOf(childOf(nvt, 'severities'), 'severity'), 'value') ?? tags.get('cvss_base_vector'),
    Severity: textIn(result, 'threat'),
    QoD: textIn(childOf(result, 'qod'), 'value'),
    'NVT Name': textIn(nvt, 'name') ?? textIn(result, 'name'),
    'NVT OID': nvt?.attributes.oid,
    'Specific Result': textIn(result, 'description'),
    // Versions before 2019 have elements in place of references.
    CVEs: [...ids('cve'), textIn(nvt, 'cve') ?? ''].join('\n'),
    CERTs: ids('cert-bund', 'dfn-cert').join('\n'),
    'Other References': [...ids('url'), textIn(nvt, 'xref') ?? ''].join('\n'),
    Summary: tags.get('summary'),
    'Vulnerability Insight': tags.get('insight'),
    Impact: tags.get('impact'),
    'Affected Software/OS': tags.get('affected'),
    Solution: textIn(nvt, 'solution') ?? tags.get('solution'),
    'Solution Type': childOf(nvt, 'solution')?.attributes.type ?? tags.get('solution_type'),
  });
}

/** `summary=...|insight=...`: the texts may contain a bar, so only a known name begins a new text. */
function tagsOf(text: string): Map<string, string> {
  const parts = text.split(
    /\|(?=(?:cvss_base_vector|summary|insight|impact|affected|solution|solution_type|vuldetect)=)/,
  );
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]));
}

function filled(cells: Record<string, string | undefined>): CsvRow {
  const row: CsvRow = Object.create(null);
  for (const [name, cell] of Object.entries(cells)) if (cell?.trim()) row[name] = cell.trim();
  return row;
}
