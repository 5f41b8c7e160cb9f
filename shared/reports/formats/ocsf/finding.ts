import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { failedCheck } from '../../readers/security-hub.ts';
import { findCves, findCwes, paragraphs } from '../../readers/text.ts';
import type { ReportAsset, ReportLocation, Severity } from '../../report/report.ts';
import { controlOf } from './control.ts';
import { vulnerabilityDrafts } from './vulnerability.ts';

/** The classes of findings (category 2) that name a problem; 2005 is an incident, which groups findings. */
const CLASSES = new Set([2001, 2002, 2003, 2004, 2006, 2007, 2008]);

/** One finding per event, or one for each vulnerability that it lists. */
export function draftsOf(event: JsonObject): FindingDraft[] | undefined {
  if (!CLASSES.has(indexAt(event, 'class_uid') ?? 0)) return undefined;
  const info = fieldAt(event, 'finding_info') ?? fieldAt(event, 'finding');
  const vulnerabilities = listAt(event, 'vulnerabilities');
  const title = textAt(info, 'title') ?? textAt(event, 'message') ?? textAt(vulnerabilities[0], 'title');
  const uid = textAt(info, 'uid') ?? textAt(event, 'metadata', 'uid');
  if (!title && !uid) return undefined;
  const muted = isMuted(event);
  if (!muted && isGone(event)) return [];
  const base = { ...baseOf(event, { info, title: title ?? String(uid), uid }), ...(muted && { muted }) };
  if (vulnerabilities.length === 0) return [base];
  return vulnerabilities.flatMap((one) => vulnerabilityDrafts(one, base));
}

/** A check fails, and somebody told the tool to be silent about it: Prowler and Security Hub call this suppressed. */
function isMuted(event: JsonObject): boolean {
  const hasFailed = /^fail/i.test(textAt(event, 'status_code') ?? '') || controlOf(event).outcome === 'failed';
  const isSuppressed = stateOf(event) === SUPPRESSED || /^suppressed$/i.test(textAt(event, 'status') ?? '');
  return hasFailed && isSuppressed && indexAt(event, 'activity_id') !== CLOSED;
}

const SUPPRESSED = 3;
const CLOSED = 3;
const stateOf = (event: JsonObject): number => indexAt(event, 'state_id') ?? indexAt(event, 'status_id') ?? 0;

/** The ids of a status, or of a state in version 1.0 of the schema: 3 suppressed, 4 resolved, 5 archived, 6 deleted. The activity 3 closes, a check may pass. */
function isGone(event: JsonObject): boolean {
  const status = stateOf(event);
  const words = [textAt(event, 'status'), textAt(event, 'status_code'), textAt(event, 'state')].map(
    (word) => word ?? '',
  );
  const passed =
    indexAt(event, 'compliance', 'status_id') === 1 || /^pass/i.test(textAt(event, 'compliance', 'status') ?? '');
  return (
    (status >= 3 && status <= 6) ||
    words.some((word) => /^(?:suppressed|resolved|archived|deleted|pass|passed|success)$/i.test(word)) ||
    indexAt(event, 'activity_id') === CLOSED ||
    passed
  );
}

type Named = { info: unknown; title: string; uid?: string };

function baseOf(event: JsonObject, { info, title, uid }: Named): FindingDraft {
  const [location = {}, ...otherLocations] = resourcesOf(event).map(locationOf);
  const remediation = fieldAt(event, 'remediation') ?? fieldAt(info, 'remediation');
  const rule = ruleOf(event, info);
  const detail = textAt(event, 'status_detail') ?? textAt(event, 'message');
  const texts = [textAt(info, 'desc'), detail, textAt(event, 'risk_details')];
  return {
    title,
    description: paragraphs(...texts.filter((text) => text !== title)),
    ...severityOf(event),
    ruleId: rule ?? textAt(info, 'analytic', 'name') ?? textsAt(info, 'types')[0] ?? title,
    cves: findCves(title),
    cwes: findCwes(title),
    asset: assetOf(event),
    location,
    otherLocations,
    evidence: listAt(event, 'evidences').map((item) => ({ kind: 'text', content: JSON.stringify(item, null, 1) })),
    references: [
      ...textsAt(info, 'src_url'),
      ...textsAt(remediation, 'references'),
      ...textsAt(remediation, 'kb_articles'),
    ].filter(isLink),
    remediation: textAt(remediation, 'desc'),
    tags: tagsOf(event, info),
    check: failedCheck(controlOf(event)),
    place: uid ? undefined : placeBy(title, detail),
    identity: uid ? [uid] : [rule ?? title, location.path ?? location.host ?? ''],
  };
}

const ruleOf = (event: JsonObject, info: unknown): string | undefined =>
  textAt(event, 'compliance', 'control') ?? textAt(info, 'analytic', 'uid') ?? textAt(event, 'metadata', 'event_code');

const isLink = (text: string): boolean => /^https?:/i.test(text);

/** 0 is unknown, 99 another word of the tool; 6, fatal, is more than critical. */
const SEVERITIES: (Severity | undefined)[] = [undefined, 'info', 'low', 'medium', 'high', 'critical', 'critical'];

function severityOf(event: JsonObject): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const [id, word] = [indexAt(event, 'severity_id'), textAt(event, 'severity')];
  const byId = id === undefined ? undefined : SEVERITIES[id];
  return {
    severity: byId ?? severityOfWord(word) ?? 'info',
    toolSeverity: word ?? (id === undefined ? undefined : String(id)),
  };
}

/** Version 1.0 of the schema has one resource instead of a list. */
function resourcesOf(event: JsonObject): unknown[] {
  const listed = [...listAt(event, 'resources'), ...listAt(event, 'affected_resources')];
  return listed.length > 0 ? listed : [fieldAt(event, 'resource') ?? fieldAt(event, 'device')].filter((one) => one);
}

const locationOf = (resource: unknown): ReportLocation => ({
  host: textAt(resource, 'hostname') ?? textAt(resource, 'ip'),
  path: textAt(resource, 'uid') ?? textAt(resource, 'name'),
});

export function assetOf(event: JsonObject): ReportAsset | null {
  const account = textAt(event, 'cloud', 'account', 'uid') ?? textAt(event, 'cloud', 'project_uid');
  if (account) return { type: 'cloud_account', value: account };
  const host = ['hostname', 'ip', 'name'].map((key) => textAt(event, 'device', key)).find((text) => text);
  return host ? { type: 'host', value: host } : null;
}

function tagsOf(event: JsonObject, info: unknown): string[] {
  const resources = resourcesOf(event).flatMap((resource) => textAt(resource, 'type') ?? []);
  const [region, className] = [textAt(event, 'cloud', 'region'), textAt(event, 'class_name')];
  const standards = textsAt(event, 'compliance', 'requirements');
  return [className, region, ...resources, ...textsAt(info, 'types'), ...standards].filter((tag) => tag !== undefined);
}
