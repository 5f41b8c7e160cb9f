import { hostnameOf } from '#shared/platform/runtime/addresses.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, type JsonObject, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { findCves, findCwes } from '../../readers/text.ts';
import type { ReportAsset, ReportEvidence, ReportLocation } from '../../report/report.ts';

/** The finding of one match (nuclei's ResultEvent), or undefined when it lacks its template or its place. */
export function draftOf(match: JsonObject): FindingDraft | [] | undefined {
  const template = textAt(match, 'template-id') ?? textAt(match, 'templateID');
  const matchedAt = textAt(match, 'matched-at') ?? textAt(match, 'matched') ?? textAt(match, 'host');
  if (!template || !matchedAt) return undefined;
  // With -matcher-status Nuclei also writes templates that did not match.
  if (match['matcher-status'] === false) return [];
  const info = fieldAt(match, 'info');
  const matcher = textAt(match, 'matcher-name') ?? textAt(match, 'matcher_name') ?? textAt(match, 'extractor-name');
  const name = textAt(info, 'name') ?? template;
  const location = locationOf(match, matchedAt);
  return {
    title: matcher ? `${name}: ${matcher}` : name,
    description: [textAt(info, 'description'), textAt(info, 'impact')].filter((text) => text).join('\n\n'),
    ...severityOf(info),
    ruleId: template,
    ...identifiersOf(info, template),
    asset: assetOf(match, location),
    location,
    evidence: evidenceOf(match),
    references: textsAt(info, 'reference'),
    remediation: textAt(info, 'remediation'),
    tags: textsAt(info, 'tags').flatMap((tags) => tags.split(',')),
    identity: [template, matcher ?? '', withoutRandom(matchedAt)],
  };
}

function severityOf(info: unknown): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const word = textAt(info, 'severity')?.toLowerCase();
  // Nuclei's own words are ours, besides `unknown`.
  return { severity: severityOfWord(word) ?? 'info', toolSeverity: word };
}

function identifiersOf(info: unknown, template: string): Partial<FindingDraft> {
  const classification = fieldAt(info, 'classification');
  return {
    cves: findCves(...textsAt(classification, 'cve-id'), template),
    cwes: findCwes(...textsAt(classification, 'cwe-id')),
    cvssVector: textAt(classification, 'cvss-metrics'),
    cvssScore: numberAt(classification, 'cvss-score') || undefined,
  };
}

function locationOf(match: JsonObject, matchedAt: string): ReportLocation {
  const url = /^https?:\/\//i.test(matchedAt) ? URL.parse(matchedAt) : null;
  const socket = /^(?:[a-z]+:\/\/)?(?:\[([\da-f:]+)\]|([^:/\s]+)):(\d{1,5})$/i.exec(matchedAt);
  const host = (url && hostnameOf(url)) ?? socket?.[1] ?? socket?.[2] ?? hostOf(match) ?? matchedAt;
  const port = Number(url?.port || (socket?.[3] ?? numberAt(match, 'port') ?? portOf(url)));
  return { host: host.toLowerCase(), port, url: url ? matchedAt : undefined, protocol: protocolOf(match) };
}

function portOf(url: URL | null): number | undefined {
  if (!url) return undefined;
  return url.protocol === 'https:' ? 443 : 80;
}

function protocolOf(match: JsonObject): string | undefined {
  return PROTOCOLS.get(textAt(match, 'type') ?? '');
}

/** The transport of nuclei's template types; the others (file, workflow, code) have none. */
const PROTOCOLS = new Map([
  ['http', 'tcp'],
  ['headless', 'tcp'],
  ['websocket', 'tcp'],
  ['ssl', 'tcp'],
  ['tcp', 'tcp'],
  ['network', 'tcp'],
  ['dns', 'udp'],
]);

/** `host` is the scanned name, address, or URL. */
function hostOf(match: JsonObject): string | undefined {
  const host = textAt(match, 'host') ?? textAt(match, 'ip');
  return (host?.includes('//') && URL.parse(host)?.hostname) || host?.replace(/:\d+$/, '');
}

function assetOf(match: JsonObject, location: ReportLocation): ReportAsset | null {
  if (location.url) return { type: 'url', value: new URL(location.url).origin };
  if (textAt(match, 'type') === 'file' || !location.host) return null;
  return { type: textAt(match, 'type') === 'dns' ? 'domain' : 'host', value: location.host };
}

/** The texts that the template shows as its result. */
export const extractedIn = (match: JsonObject): string[] =>
  textsAt(match, 'extracted-results')
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** The request and answer that show the match, without the extracted texts. */
function evidenceOf(match: JsonObject): ReportEvidence[] {
  const evidence: ReportEvidence[] = [];
  const request = textAt(match, 'request');
  if (request) evidence.push({ kind: 'http', content: request });
  const response = textAt(match, 'response');
  if (response) evidence.push({ kind: 'http', content: response });
  const command = textAt(match, 'curl-command');
  if (command) evidence.push({ kind: 'command', content: command });
  return evidence;
}

/**
 * Templates put a new random text into each scan's request: the interaction server's host, and `{{randstr}}`, which is
 * a KSUID of 27 characters. With these the same problem would look new after each scan.
 */
function withoutRandom(matchedAt: string): string {
  return matchedAt
    .replace(/\b[a-z0-9]{20,}\.(?:oast\.[a-z]+|interact\.sh)\b/gi, 'interaction')
    .replace(
      /(?<![A-Za-z0-9])(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{27}(?![A-Za-z0-9])/g,
      'random',
    );
}
