import { createHash } from 'node:crypto';
import { halfCharacter } from '#shared/platform/runtime/storable.ts';
import {
  LIMITS,
  type ReportComponent,
  type ReportEvent,
  type ReportFinding,
  type ReportLocation,
  type ReportSecret,
  Severity,
} from '../report/report.ts';
import { cvssScoreOf, severityOfScore, spelledVector } from './cvss.ts';
import { withoutQuotedSecret } from './quoted-secret.ts';
import { withoutSecret } from './secret-text.ts';
import { bounded, oneLine } from './text.ts';

/** A finding from a reader. Lists that the reader omits are empty; without a severity the CVSS score decides. */
export type FindingDraft = Pick<ReportFinding, 'title' | 'ruleId' | 'asset' | 'location' | 'identity'> &
  Partial<ReportFinding> & {
    /** The same identity on another line is the same problem, as with a secret that is replaced everywhere at once. */
    anyLine?: boolean;
    /**
     * Results of one identity differ by this in one report, beside the line and the version: the resource, the logical
     * location, the column or the message. It is no part of the identity.
     */
    place?: string | undefined;
  };

/** The severity of an unrated problem, as in SARIF (2.1.0, 3.27.10). */
const UNRATED: Severity = 'medium';

/** The finding of a draft, or the reason why it cannot be stored unchanged. */
export async function findingEvent(draft: FindingDraft, where: string): Promise<ReportEvent> {
  const half = halfCharacter(draft);
  if (half) return { kind: 'rejected', reason: `its ${half.path.join('.')} ${half.message}`, where };
  return { kind: 'finding', finding: await completeFinding(draft) };
}

/** Cuts a reader's finding to the limits, and completes or drops its CVSS. */
export async function completeFinding(read: FindingDraft): Promise<ReportFinding> {
  const draft = withoutQuotedSecret(withoutSecret(read));
  const cvss = await cvssOf(draft);
  const rated = cvss.cvssScore === undefined ? UNRATED : severityOfScore(cvss.cvssScore);
  return {
    title: bounded(oneLine(draft.title), LIMITS.title),
    ...textOf('description', draft.description, LIMITS.description),
    severity: draft.severity ?? rated,
    ...textOf('toolSeverity', draft.toolSeverity, LIMITS.tag),
    ruleId: bounded(draft.ruleId, LIMITS.name),
    cves: listOf(draft.cves, LIMITS.identifiers, LIMITS.tag),
    cwes: listOf(draft.cwes, LIMITS.identifiers, LIMITS.tag),
    ...cvss,
    asset: draft.asset && { type: draft.asset.type, value: bounded(draft.asset.value, LIMITS.location) },
    location: locationOf(draft.location),
    ...otherPlacesOf(draft),
    ...(draft.component && { component: componentOf(draft.component) }),
    ...(draft.secret && { secret: secretOf(draft.secret) }),
    ...(draft.check && { check: draft.check }),
    ...(draft.muted && { muted: draft.muted }),
    evidence: (draft.evidence ?? [])
      .filter((item) => item.content.trim() !== '')
      .slice(0, LIMITS.evidenceCount)
      .map((item) => ({ kind: item.kind, content: bounded(item.content, LIMITS.evidence) })),
    references: listOf(draft.references, LIMITS.references, LIMITS.reference),
    ...textOf('remediation', draft.remediation, LIMITS.remediation),
    tags: listOf(draft.tags, LIMITS.tags, LIMITS.tag),
    identity: draft.identity.map(identityPart),
  };
}

async function cvssOf(draft: FindingDraft): Promise<Pick<ReportFinding, 'cvssVector' | 'cvssScore'>> {
  const score =
    draft.cvssScore !== undefined && draft.cvssScore >= 0 && draft.cvssScore <= 10 ? draft.cvssScore : undefined;
  const cvssVector = spelledVector(draft.cvssVector);
  const computed = cvssVector === undefined ? undefined : await cvssScoreOf(cvssVector);
  if (computed === undefined) return score === undefined ? {} : { cvssScore: score };
  return { cvssVector, cvssScore: score ?? computed };
}

function locationOf(location: ReportLocation): ReportLocation {
  const { port, line, snippet, ...texts } = location;
  const result: ReportLocation = {};
  if (port !== undefined && Number.isInteger(port) && port >= 0 && port <= 65535) result.port = port;
  if (line !== undefined && Number.isInteger(line) && line >= 1) result.line = line;
  if (snippet) result.snippet = bounded(snippet, LIMITS.snippet);
  for (const key of ['host', 'protocol', 'url', 'path', 'commit'] as const) {
    const text = texts[key];
    if (text) result[key] = bounded(text, LIMITS.location);
  }
  return result;
}

/** The first that fit, in the order of the report, each once. */
function otherPlacesOf({ location, otherLocations = [] }: FindingDraft): Pick<ReportFinding, 'otherLocations'> {
  const places = new Map([location, ...otherLocations].map(locationOf).map((place) => [JSON.stringify(place), place]));
  const kept: ReportLocation[] = [];
  let size = 0;
  for (const [text, place] of [...places].slice(1)) {
    size += Buffer.byteLength(text);
    if (size > LIMITS.otherLocations) break;
    kept.push(place);
  }
  return kept.length > 0 ? { otherLocations: kept } : {};
}

function componentOf({ name, version, purl, fixedVersions }: ReportComponent): ReportComponent {
  return {
    name: bounded(name, LIMITS.name),
    ...(version && { version: bounded(version, LIMITS.tag) }),
    ...(purl?.startsWith('pkg:') && { purl: bounded(purl, LIMITS.location) }),
    fixedVersions: listOf(fixedVersions, LIMITS.fixedVersions, LIMITS.tag),
  };
}

const secretOf = ({ account, ...secret }: ReportSecret): ReportSecret => ({
  ...secret,
  account: account && bounded(oneLine(account), LIMITS.name),
});

/** The severity that a tool's word names, in any case; undefined for a word of the tool's own. */
export const severityOfWord = (word: string | undefined): Severity | undefined =>
  Severity.safeParse(word?.trim().toLowerCase()).data;

/** A digest replaces a long part, because cutting it could make two problems one. */
function identityPart(part: string): string {
  if (Buffer.byteLength(part) <= LIMITS.identityPart) return part;
  return `sha256:${createHash('sha256').update(part).digest('hex')}`;
}

function textOf<K extends string>(key: K, text: string | undefined, maxBytes: number): { [P in K]?: string } {
  const value: { [P in K]?: string } = {};
  if (text?.trim()) value[key] = bounded(text.trim(), maxBytes);
  return value;
}

function listOf(texts: string[] | undefined, count: number, maxBytes: number): string[] {
  const unique = new Set<string>();
  for (const text of texts ?? []) {
    if (unique.size === count) break;
    if (text.trim()) unique.add(bounded(text.trim(), maxBytes));
  }
  return [...unique];
}
