import { shortened } from '#shared/platform/runtime/texts.ts';
import type { NewIssue } from './jira/api.ts';
import type { Subject } from './subject.ts';
import type { StoredTicket } from './ticket.ts';

/** The label of all issues that this service opens. */
export const OUR_LABEL = 'exposure-management';

/** The label by which the issue of a ticket is found again when Jira's answer to its creation was lost. */
export const labelOf = ({ id }: Pick<StoredTicket, 'id'>): string => `exposure-${id}`;

/** Jira takes 255 characters. */
const MAX_SUMMARY = 240;

/** The issue to be created for a ticket. @param baseUrl of this service */
export function issueFor(ticket: StoredTicket, subject: Subject, baseUrl: string): NewIssue {
  const { project, issueType, severity, template } = ticket;
  const values = valuesOf(subject, baseUrl);
  return {
    project,
    issueType,
    summary: shortened(`[${severity}] ${subject.title}`.replaceAll(/\s+/g, ' '), MAX_SUMMARY),
    description: descriptionOf(subject, values),
    labels: [...template.labels, OUR_LABEL, labelOf(ticket)],
    priority: template.priorities[severity],
    fields: filled(template.fields, values) as Record<string, unknown>,
  };
}

type Values = Record<string, string>;

const valuesOf = (subject: Subject, baseUrl: string): Values => ({
  title: subject.title,
  severity: subject.severity,
  priority: String(subject.priority),
  status: subject.status,
  asset: subject.asset,
  advisories: subject.advisories.join(', '),
  dueAt: subject.dueAt?.slice(0, 10) ?? '',
  link: `${baseUrl}${subject.path}`,
});

function descriptionOf({ details }: Subject, { severity, priority, asset, advisories, dueAt, link }: Values): string {
  const facts = [
    `Severity: ${severity}, priority ${priority} of 100`,
    `Asset: ${asset}`,
    advisories && `Advisories: ${advisories}`,
    dueAt && `Due: ${dueAt}`,
    `Link: ${link}`,
  ];
  return [facts.filter(Boolean).join('\n'), ...details.filter(Boolean)].join('\n\n');
}

/** A value of a rule's `fields` in which `{{name}}` is replaced in every text. */
function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{([a-zA-Z]{1,20})\}\}/g, (all, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : all,
    );
  if (Array.isArray(value)) return value.map((one) => filled(one, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, values)]));
}
