import { fieldAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import type { Check } from './check.ts';
import { COLUMNS } from './columns.ts';

/** A check of a CSV or of the JSON of versions 2 and 3, which have their fields side by side. */
export function checkOfRow(row: JsonObject): Check | undefined {
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
