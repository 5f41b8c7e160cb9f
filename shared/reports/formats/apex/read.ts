import { jsonEntries, readEntries } from '../../readers/entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { findCves, findCwes } from '../../readers/text.ts';
import {
  AssetType,
  type OpenReport,
  type ReportAsset,
  type ReportEvent,
  type ReportLocation,
} from '../../report/report.ts';

/**
 * Findings from an Apex appliance: a JSON array, each with an `externalId` that identifies the problem permanently. The
 * report names what was found and never what is gone.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'apex' };
  yield* readEntries(jsonEntries(open), draftOf, 'the entry has no externalId or no title');
}

function draftOf(entry: JsonObject): FindingDraft | undefined {
  const externalId = textAt(entry, 'externalId');
  const title = textAt(entry, 'title');
  if (!externalId || !title) return undefined;
  const word = textAt(entry, 'severity')?.toLowerCase();
  return {
    title,
    severity: severityOfWord(word) ?? 'info',
    toolSeverity: word,
    description: descriptionOf(entry),
    ruleId: textAt(entry, 'ruleId') ?? externalId,
    cves: findCves(...textsAt(entry, 'cves')),
    cwes: findCwes(...textsAt(entry, 'cwes')),
    cvssVector: textAt(entry, 'cvssVector'),
    asset: assetOf(entry),
    location: locationOf(entry),
    evidence: evidenceOf(entry),
    references: textsAt(entry, 'references'),
    remediation: textAt(entry, 'remediation'),
    tags: [...textsAt(entry, 'attackTechniques'), ...textsAt(entry, 'confidence')],
    identity: [externalId],
  };
}

function descriptionOf(entry: JsonObject): string | undefined {
  const steps = textsAt(entry, 'reproduction').map((step, n) => `${n + 1}. ${step}`);
  const parts = [textAt(entry, 'description'), steps.length > 0 ? `Steps:\n${steps.join('\n')}` : undefined];
  return parts.filter((part) => part !== undefined).join('\n\n') || undefined;
}

/** A range of addresses is no asset: the one within it must be named. */
function assetOf(entry: JsonObject): ReportAsset | null {
  const value = textAt(entry, 'target', 'value');
  const type = AssetType.safeParse(textAt(entry, 'target', 'type'));
  return value && type.success ? { type: type.data, value } : null;
}

function locationOf(entry: JsonObject): ReportLocation {
  const [value, type] = [textAt(entry, 'target', 'value'), textAt(entry, 'target', 'type')];
  const path = textAt(entry, 'target', 'path');
  const port = indexAt(entry, 'target', 'port');
  if (type === 'repository') return path ? { path } : {};
  if (type === 'url' && value) return { url: (path && URL.parse(path, value)?.href) || value, port };
  return { host: type === 'host' || type === 'domain' ? value : undefined, port, path };
}

function evidenceOf(entry: JsonObject): NonNullable<FindingDraft['evidence']> {
  const items = Array.isArray(entry.evidence) ? entry.evidence : [];
  return items.flatMap((item) => {
    const kind = textAt(item, 'kind');
    const content = textAt(item, 'content') ?? uploadOf(item);
    if (content === undefined) return [];
    return [{ kind: kind === 'http' || kind === 'command' ? kind : 'text', content }];
  });
}

const uploadOf = (item: unknown): string | undefined => {
  const id = textAt(item, 'uploadId');
  return id && `${textAt(item, 'kind') ?? 'file'}: upload ${id}`;
};
