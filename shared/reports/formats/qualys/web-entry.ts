import type { CsvRow } from '../../readers/csv-entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { htmlText } from '../../readers/html.ts';
import { numberAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';
import { findCves, findCwes, paragraphs } from '../../readers/text.ts';
import { childOf, childrenOf, textIn, type XmlElement } from '../../readers/xml.ts';
import { LIMITS, type ReportEvidence, type Severity } from '../../report/report.ts';

/**
 * `about`: the glossary's entry for its number. `application`: a page of the site, for entries without an address of
 * their own.
 */
export type WebEntry = { element: XmlElement; about: CsvRow; application: string | undefined };

/** From 1, minimal, to 5, urgent. Gathered information is no risk. */
const SEVERITIES: Severity[] = ['info', 'info', 'low', 'medium', 'high', 'critical'];

/** A detection on a page: another page or parameter is mended elsewhere, so it is a finding of its own. */
export function draftOf({ element, about, application }: WebEntry): FindingDraft | [] | undefined {
  const [qid, url] = [textIn(element, 'QID'), textIn(element, 'URL') ?? textIn(element, 'LINK')];
  const page = pageOf(url ?? application);
  if (!qid || (url && !page)) return undefined;
  if (textIn(element, 'STATUS')?.toUpperCase() === 'FIXED' || textIn(element, 'IGNORED') === 'true') return [];
  const isGathered = element.name === 'INFORMATION_GATHERED';
  const parameter = textIn(element, 'PARAM');
  const level = textIn(element, 'SEVERITY_LEVEL') ?? textIn(element, 'SEVERITY') ?? about.SEVERITY;
  const path = page?.location.url ? new URL(page.location.url).pathname : '';
  return {
    title: about.TITLE ?? `QID ${qid}`,
    description: paragraphs(htmlText(about.DESCRIPTION), htmlText(about.IMPACT)),
    severity: isGathered ? 'info' : (SEVERITIES[Number(level)] ?? 'info'),
    toolSeverity: level,
    ruleId: qid,
    cves: findCves(about.CVE, about.CVE_ID_LIST),
    cwes: findCwes(about.CWE),
    cvssScore: scoreOf(element, about),
    asset: page?.asset ?? null,
    location: { ...page?.location, ...(parameter && { snippet: `parameter ${parameter}` }) },
    evidence: evidenceOf(element),
    remediation: htmlText(about.SOLUTION),
    tags: tagsOf(element, about),
    identity: isGathered ? [qid] : [qid, path, parameter ?? ''],
  };
}

/** The glossary's CVSS 3 has its base score first, in an element of its own. */
function scoreOf(element: XmlElement, about: CsvRow): number | undefined {
  const first = about.CVSS_V3?.split('\n', 1)[0];
  return (
    numberAt({ first }, 'first') ??
    numberAt(about, 'CVSS_BASE') ??
    numberAt({ own: textIn(element, 'CVSS_BASE') }, 'own')
  );
}

function evidenceOf(element: XmlElement): ReportEvidence[] {
  const payloads = childrenOf(childOf(element, 'PAYLOADS'), 'PAYLOAD').slice(0, LIMITS.evidenceCount);
  const shown = payloads.flatMap((payload) => [requestOf(payload), responseOf(payload)]);
  return [...shown, { kind: 'text', content: decoded(childOf(element, 'DATA')) }];
}

function requestOf(payload: XmlElement): ReportEvidence {
  const request = childOf(payload, 'REQUEST');
  const headers = childrenOf(childOf(request, 'HEADERS'), 'HEADER').map(
    (header) => `${textIn(header, 'key')?.trim()}: ${textIn(header, 'value')?.trim()}`,
  );
  const first = [textIn(request, 'METHOD'), textIn(request, 'URL')].filter((part) => part).join(' ');
  const used = textIn(payload, 'PAYLOAD');
  const lines = [used && `Payload: ${used}`, first, ...headers, textIn(request, 'BODY')];
  return { kind: 'http', content: lines.filter((line) => line).join('\n') };
}

const responseOf = (payload: XmlElement): ReportEvidence => ({
  kind: 'text',
  content: decoded(childOf(childOf(payload, 'RESPONSE'), 'CONTENTS')),
});

/** Decodes no more than a finding stores. */
function decoded(element: XmlElement | undefined): string {
  const text = element?.text.trim() ?? '';
  if (element?.attributes.base64 !== 'true') return text;
  return Buffer.from(text.slice(0, 2 * LIMITS.evidence), 'base64').toString();
}

function tagsOf(element: XmlElement, about: CsvRow): string[] {
  const potential = textIn(element, 'POTENTIAL') === 'true' || /^potential/i.test(about.CATEGORY ?? '');
  const lists = [about.CATEGORY, about.GROUP, about.OWASP, about.WASC].flatMap((text) => text?.split('\n') ?? []);
  return [...lists, ...(potential ? ['potential'] : [])];
}
