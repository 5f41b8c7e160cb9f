import { checkOfAws } from '../../readers/benchmark-aws.ts';
import { csvEntries } from '../../readers/csv-entries.ts';
import { arrayOrLineEntries, firstCharacter, readEntries } from '../../readers/entries.ts';
import { fieldAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import { Targets } from '../../readers/targets.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { accountOf, type Check, draftOf } from './check.ts';
import { COLUMNS, CSV_COLUMNS } from './columns.ts';

/** Prowler's results of all versions. Passed checks show which accounts were checked. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Prowler' };
  const targets = new Targets();
  const passed = new PassedChecks();
  const isJson = /[[{]/.test(await firstCharacter(open));
  const entries = isJson ? arrayOrLineEntries(open) : csvEntries(open, { columns: CSV_COLUMNS });
  yield* readEntries(
    entries,
    (entry) => {
      const check = isOcsf(entry) ? checkOfOcsf(entry) : checkOfRow(entry);
      const account = check ? accountOf(check) : null;
      if (account) targets.reached(account);
      if (check && /^pass/i.test(check.status)) passed.add(checkOfAws(check.id), account);
      return check && draftOf(check);
    },
    'the entry has no check, no title or no known status',
  );
  yield* targets.events();
  yield* passed.events();
}

/** A check of a CSV or of the JSON of versions 2 and 3, which have their fields side by side. */
function checkOfRow(row: JsonObject): Check | undefined {
  const field = (name: keyof typeof COLUMNS) => COLUMNS[name].map((key) => textAt(row, key)).find((text) => text);
  const title = field('title');
  const [, numbered, text] = /^\[(\w{1,80})\]\s*(.{1,1000})$/s.exec(title ?? '') ?? [];
  const id = field('id') ?? numbered;
  const status = field('status');
  if (!id || !title || !status) return undefined;
  const recommendation = fieldAt(row, 'Remediation', 'Recommendation');
  return {
    id,
    title: text ?? title,
    status,
    isMuted: field('muted')?.toLowerCase() === 'true' || row.Muted === true,
    severity: field('severity'),
    detail: field('detail'),
    account: field('account'),
    region: field('region'),
    resource: field('resource'),
    resourceName: field('resourceName'),
    description: field('description'),
    risk: field('risk'),
    remediation: field('remediation') ?? textAt(recommendation, 'Text') ?? textAt(row, 'Remediation'),
    references: [
      field('relatedUrl'),
      field('remediationUrl') ?? textAt(recommendation, 'Url'),
      ...(field('moreUrls')?.split('|') ?? textsAt(row, 'AdditionalURLs')),
    ].filter((url) => url !== undefined),
    tags: [field('provider'), field('service'), field('resourceType')],
  };
}

const isOcsf = (entry: JsonObject): boolean => 'class_uid' in entry || 'finding_info' in entry;

/** A check in OCSF: a detection finding from version 4, a security finding in version 3. */
function checkOfOcsf(entry: JsonObject): Check | undefined {
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
