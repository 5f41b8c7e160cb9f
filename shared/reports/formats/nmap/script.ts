import { severityOfScore } from '../../readers/cvss.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { findCves, findCwes, oneLine } from '../../readers/text.ts';
import { childrenOf, type XmlElement } from '../../readers/xml.ts';
import type { Severity } from '../../report/report.ts';

/** The place where a script ran: a port of the host, or the whole host. */
type ScriptLocation = { host: string; port?: number; protocol?: string; product?: string };

export function isVulnerabilityScript(script: XmlElement): boolean {
  return script.attributes.id === 'vulners' || vulnerabilityTables(script).length > 0;
}

/** One finding for each vulnerability that an NSE script names; none for informational scripts. */
export function scriptFindings(place: ScriptLocation, script: XmlElement): FindingDraft[] {
  if (script.attributes.id === 'vulners') return vulnersFindings(place, script);
  const risks = risksOf(script);
  return vulnerabilityTables(script)
    .filter((table) => /VULNERABLE/.test(elemOf(table, 'state')) && !/NOT VULNERABLE/.test(elemOf(table, 'state')))
    .map((table) => vulnerability(place, table, { rule: script.attributes.id ?? 'nse', risks }));
}

/** The tables that Nmap's `vulns` library writes: a title and a state, by the id of the vulnerability. */
function vulnerabilityTables(script: XmlElement): XmlElement[] {
  return childrenOf(script, 'table').filter((table) => elemOf(table, 'title') && elemOf(table, 'state'));
}

type Script = { rule: string; risks: ReadonlyMap<string, string> };

function vulnerability(place: ScriptLocation, table: XmlElement, { rule, risks }: Script): FindingDraft {
  const title = elemOf(table, 'title');
  const risk = risks.get(title) ?? '';
  const ids = textsOf(table, 'ids');
  const score = scoreOf(table);
  const details = ['extra_info', 'check_results', 'exploit_results'].flatMap((key) => textsOf(table, key));
  return {
    ...placed(place, [rule, table.attributes.key ?? title]),
    title,
    description: textsOf(table, 'description')
      .map((text) => text.trim())
      .join('\n'),
    severity: severityOf({ state: elemOf(table, 'state'), risk, score: score.value }),
    toolSeverity: [elemOf(table, 'state'), risk].filter((word) => word).join(', risk '),
    ruleId: rule,
    cves: findCves(...ids, table.attributes.key),
    cwes: findCwes(...ids),
    cvssScore: score.value,
    cvssVector: score.vector,
    evidence: details.length > 0 ? [{ kind: 'text', content: details.join('\n') }] : [],
    references: textsOf(table, 'refs'),
    tags: ids.filter((id) => !id.startsWith('CVE:')),
  };
}

/** The newest CVSS version of the script's output, such as `10.0 (HIGH) (AV:N/AC:L/...)`. */
function scoreOf(table: XmlElement): { value?: number; vector?: string } {
  const scores = childrenOf(table, 'table').find((child) => child.attributes.key === 'scores');
  const newest = childrenOf(scores, 'elem').sort((a, b) =>
    (a.attributes.key ?? '') < (b.attributes.key ?? '') ? 1 : -1,
  )[0];
  const value = /\d+(\.\d+)?/.exec(newest?.text ?? '')?.[0];
  return {
    value: value === undefined ? undefined : Number(value),
    vector: /(CVSS:[34]\.\d\/)?AV:[^()\s]+/.exec(newest?.text ?? '')?.[0],
  };
}

/**
 * The risk factors by title. The library writes them into the text for people only, below a vulnerability's title and
 * state.
 */
function risksOf({ attributes: { output = '' } }: XmlElement): Map<string, string> {
  const risks = new Map<string, string>();
  const parts = output.split(/^[ \t]*State:/m);
  for (const [n, part] of parts.slice(1).entries()) {
    const title = oneLine(parts[n]?.trimEnd().split('\n').at(-1) ?? '');
    const risk = /Risk factor:\s*(\w+)/.exec(part)?.[1]?.toLowerCase();
    if (risk && !risks.has(title)) risks.set(title, risk);
  }
  return risks;
}

/**
 * Without a score or a risk: a proved problem is high; a suspected problem, or one that only crashes the service, is
 * medium.
 */
function severityOf({ state, risk, score }: { state: string; risk: string; score?: number }): Severity {
  if (score !== undefined) return severityOfScore(score);
  if (risk === 'critical' || risk === 'high' || risk === 'medium' || risk === 'low') return risk;
  return state.includes('LIKELY') || state.includes('DoS') ? 'medium' : 'high';
}

/**
 * `vulners` lists the known problems of a product's version; exploits and advisories without a CVE are not
 * vulnerabilities.
 */
function vulnersFindings(place: ScriptLocation, script: XmlElement): FindingDraft[] {
  const known = new Map<string, FindingDraft>();
  for (const { id, score, cpe } of vulnersEntries(script)) {
    if (known.has(id)) continue;
    known.set(id, {
      ...placed(place, [id]),
      title: `${id} in ${place.product || cpe || 'the service'}`,
      description: `${place.product || 'The service'} is of a version that ${id} affects, as its banner says${cpe ? ` (${cpe})` : ''}.`,
      severity: severityOfScore(score),
      toolSeverity: String(score),
      ruleId: id,
      cves: [id],
      cvssScore: score,
      references: [`https://vulners.com/cve/${id}`],
      tags: cpe ? [cpe] : [],
    });
  }
  return [...known.values()];
}

type VulnersEntry = { id: string; score: number; cpe: string };

function vulnersEntries(script: XmlElement): VulnersEntry[] {
  const products = childrenOf(script, 'table');
  const rows = products.flatMap((product) =>
    childrenOf(product, 'table').map((row) => ({
      id: elemOf(row, 'id'),
      score: elemOf(row, 'cvss'),
      cpe: product.attributes.key ?? '',
    })),
  );
  // Versions before 2019 write the text only.
  const lines =
    products.length > 0 ? [] : (script.attributes.output ?? '').matchAll(/\b(CVE-\d{4}-\d{4,})\s+(\d+(?:\.\d+)?)/g);
  for (const [, id = '', score = ''] of lines) rows.push({ id, score, cpe: '' });
  return rows.flatMap(({ id, score, cpe }) => {
    const cve = findCves(id)[0];
    return cve === id.toUpperCase() ? [{ id: cve, score: Number(score) || 0, cpe }] : [];
  });
}

function placed(
  { host, port, protocol }: ScriptLocation,
  identity: string[],
): Pick<FindingDraft, 'asset' | 'location' | 'identity'> {
  const where = port === undefined ? 'host' : `${port}/${protocol}`;
  return { asset: { type: 'host', value: host }, location: { host, port, protocol }, identity: [...identity, where] };
}

function elemOf(table: XmlElement, key: string): string {
  return oneLine(childrenOf(table, 'elem').find((elem) => elem.attributes.key === key)?.text ?? '');
}

/** The texts under a key, whether it is an element or a table of elements. */
function textsOf(table: XmlElement, key: string): string[] {
  return table.children
    .filter((child) => child.attributes.key === key)
    .flatMap((child) => (child.name === 'table' ? childrenOf(child, 'elem') : [child]))
    .map((elem) => elem.text)
    .filter((text) => text.trim() !== '');
}
