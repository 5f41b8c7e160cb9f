import { fieldAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import type { Check } from './check.ts';

export const isOcsf = (entry: JsonObject): boolean => 'class_uid' in entry || 'finding_info' in entry;

/** A check in OCSF: a detection finding from version 4, a security finding in version 3. */
export function checkOfOcsf(entry: JsonObject): Check | undefined {
  const finding = fieldAt(entry, 'finding_info') ?? fieldAt(entry, 'finding');
  const id = textAt(entry, 'metadata', 'event_code') ?? textAt(entry, 'metadata', 'product', 'feature', 'uid');
  const title = textAt(finding, 'title');
  const status = textAt(entry, 'status_code') ?? textAt(entry, 'status');
  if (!id || !title || !status) return undefined;
  const resource = fieldAt(entry, 'resources', 0);
  const remediation = fieldAt(entry, 'remediation') ?? fieldAt(finding, 'remediation');
  return {
    id,
    title,
    status,
    isMuted: /^(?:suppressed|muted)/i.test(textAt(entry, 'status') ?? ''),
    severity: textAt(entry, 'severity'),
    detail: textAt(entry, 'status_detail') ?? textAt(entry, 'message'),
    account: accountIn(entry),
    region: textAt(resource, 'region') ?? textAt(entry, 'cloud', 'region') ?? textAt(resource, 'namespace'),
    resource: textAt(resource, 'uid') ?? textAt(resource, 'name'),
    resourceName: textAt(resource, 'name'),
    description: textAt(finding, 'desc'),
    risk: textAt(entry, 'risk_details'),
    remediation: textAt(remediation, 'desc'),
    references: referencesOf(entry, { finding, remediation }),
    tags: tagsOf(entry, resource),
  };
}

function referencesOf(
  entry: JsonObject,
  { finding, remediation }: { finding: unknown; remediation: unknown },
): string[] {
  const links = [
    ...textsAt(entry, 'unmapped', 'related_url'),
    ...textsAt(finding, 'src_url'),
    ...textsAt(remediation, 'references'),
    ...textsAt(remediation, 'kb_articles'),
    ...textsAt(entry, 'unmapped', 'additional_urls'),
  ];
  return links.filter((text) => /^https?:/i.test(text));
}

const tagsOf = (entry: JsonObject, resource: unknown): (string | undefined)[] => [
  textAt(entry, 'cloud', 'provider') ?? textAt(entry, 'unmapped', 'provider'),
  textAt(resource, 'group', 'name'),
  textAt(resource, 'type'),
];

const accountIn = (entry: JsonObject): string | undefined =>
  textAt(entry, 'cloud', 'account', 'uid') ??
  textAt(entry, 'cloud', 'project_uid') ??
  textAt(entry, 'unmapped', 'provider_uid');
