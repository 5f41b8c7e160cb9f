import type { FindingDraft } from '../../readers/finding.ts';
import { htmlText } from '../../readers/html.ts';
import { pageOf } from '../../readers/site.ts';
import { findCves, findCwes, paragraphs } from '../../readers/text.ts';
import { childOf, childrenOf, textIn, type XmlElement } from '../../readers/xml.ts';
import { LIMITS, type ReportEvidence, type Severity } from '../../report/report.ts';

const SEVERITIES = new Map<string, Severity>([
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
  ['information', 'info'],
]);

/** An issue at one place: another page or parameter is mended elsewhere, so it is a finding of its own. */
export function draftOf(issue: XmlElement): FindingDraft | [] | undefined {
  const [type, name, host] = [textIn(issue, 'type'), textIn(issue, 'name'), textIn(issue, 'host')];
  const path = textIn(issue, 'path') ?? '';
  const page = pageOf(host && `${host}${path}`);
  if (!type || !name || !page) return undefined;
  const toolSeverity = textIn(issue, 'severity') ?? '';
  if (/^false positive$/i.test(toolSeverity)) return [];
  const place = textIn(issue, 'location') ?? path;
  const input = place.startsWith(path) ? place.slice(path.length).trim() : place;
  const texts = ['issueDetail', 'issueDetailItems', 'issueBackground'].map((part) => textOf(issue, part));
  const classes = textIn(issue, 'vulnerabilityClassifications');
  return {
    title: input ? `${name} ${input}` : name,
    description: paragraphs(...texts),
    severity: SEVERITIES.get(toolSeverity.toLowerCase()) ?? 'info',
    toolSeverity,
    ruleId: type,
    cves: findCves(name, ...texts),
    cwes: findCwes(classes),
    ...page,
    evidence: evidenceOf(issue),
    references: linksOf(`${textIn(issue, 'references') ?? ''} ${classes ?? ''}`),
    remediation: paragraphs(textOf(issue, 'remediationDetail'), textOf(issue, 'remediationBackground')),
    tags: [textIn(issue, 'confidence')].flatMap((word) => (word ? [`confidence:${word.toLowerCase()}`] : [])),
    identity: [type, path, input],
  };
}

/** The text of an element, or of each of its items. */
function textOf(issue: XmlElement, part: string): string | undefined {
  const element = childOf(issue, part);
  const items = element?.children.map(({ text }) => htmlText(text)) ?? [];
  return htmlText([element?.text.trim(), ...items].filter((text) => text).join('\n')) || undefined;
}

const linksOf = (html: string): string[] =>
  [...html.matchAll(/href="(https?:[^"<>]{1,2000})"/g)].flatMap(([, link]) => link ?? []);

function evidenceOf(issue: XmlElement): ReportEvidence[] {
  const messages = childrenOf(issue, 'requestresponse')
    .flatMap(({ children }) => children)
    .filter(({ name }) => name === 'request' || name === 'response')
    .map((message) => ({ kind: 'http' as const, content: contentOf(message) }));
  return [...messages.slice(0, LIMITS.evidenceCount - 1), { kind: 'text', content: interactionsOf(issue) }];
}

/** The calls by which the server itself showed the problem, to Burp's Collaborator or its Infiltrator. */
const interactionsOf = (issue: XmlElement): string =>
  [...childrenOf(issue, 'collaboratorEvent'), ...childrenOf(issue, 'infiltratorEvent')]
    .map(({ children }) =>
      children
        .filter(({ name, text }) => name !== 'requestresponse' && text.trim())
        .map(({ name, text }) => `${name}: ${text.trim()}`)
        .join('\n'),
    )
    .join('\n\n');

/** Decodes no more than a finding stores. */
function contentOf({ attributes, text }: XmlElement): string {
  if (attributes.base64 !== 'true') return text.trim();
  return Buffer.from(text.trim().slice(0, 2 * LIMITS.evidence), 'base64').toString();
}
