import { checkOfAws } from '../../readers/benchmark-aws.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { paragraphs } from '../../readers/text.ts';
import type { ReportAsset } from '../../report/report.ts';

/** The result of a check on a resource, in any version and encoding of the report. */
export type Check = {
  id: string;
  title: string;
  status: string;
  isMuted: boolean;
  severity?: string;
  /** Why it passed or failed. */
  detail?: string;
  account?: string;
  region?: string;
  /** The resource by its full name, such as an ARN. */
  resource?: string;
  resourceName?: string;
  description?: string;
  risk?: string;
  remediation?: string;
  references: string[];
  tags: (string | undefined)[];
};

export const accountOf = ({ account }: Pick<Check, 'account'>): ReportAsset | null =>
  account ? { type: 'cloud_account', value: account } : null;

/** A failed check is a finding, also a muted one. A passed or manual check is none; undefined for a status of another word. */
export function draftOf(check: Check): FindingDraft | [] | undefined {
  if (WITHOUT_PROBLEM.test(check.status)) return [];
  if (!/^fail/i.test(check.status)) return undefined;
  const { id, title, detail, severity, resource, resourceName, region } = check;
  const risk = check.risk && `Risk: ${check.risk}`;
  const name = resourceName ?? resource;
  return {
    title: name ? `${title.replace(/\.$/, '')}: ${name}` : title,
    description: paragraphs(detail, check.description, risk),
    severity: severityOfWord(severity) ?? 'info',
    toolSeverity: severity,
    ruleId: id,
    check: checkOfAws(id),
    asset: accountOf(check),
    location: resource ? { path: resource } : {},
    references: check.references,
    remediation: check.remediation,
    place: detail,
    tags: [region, ...check.tags].filter((tag) => tag !== undefined),
    ...(check.isMuted && { muted: true }),
    identity: [id, region ?? '', resource ?? withoutNumbers(detail ?? '')],
  };
}

const WITHOUT_PROBLEM = /^(?:pass|success|manual|muted|suppressed|info|warning)/i;

/** Version 2 names resources only in its text, beside numbers of days. */
const withoutNumbers = (text: string): string => text.replace(/\b\d+\b/g, '#');
