import * as z from 'zod';
import { accountName } from '#shared/assets/identity/identity.ts';
import { assigneeIn, Day } from '#shared/findings/finding/filter.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { teamFilterParameters } from '#shared/platform/filter/read.ts';
import { anyOf } from '#shared/platform/http/pagination.ts';
import { Id, text, trimmedText } from '#shared/platform/http/records.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { ALERT_SOURCES } from './alert.ts';
import { ALERT_STATUSES } from './soc-status.ts';

const assigneeId = text(120).optional().meta({ description: '`me`; `none` for records without an assignee' });

/** Each narrows a list of alerts; they combine in any way. */
export const alertFilters = {
  ...teamFilterParameters,
  status: anyOf(z.enum(ALERT_STATUSES)).optional(),
  severity: anyOf(Severity).optional(),
  source: z.enum(ALERT_SOURCES).optional(),
  ruleId: text(300).optional(),
  technique: text(40).optional().meta({
    description: 'an ATT&CK technique; `T1059` finds its sub-techniques too',
  }),
  assetId: Id.optional(),
  user: trimmedText(300).optional().meta({
    description: 'an account of the alert; letter case does not matter',
  }),
  assigneeId,
  incidentId: z
    .union([Id, z.literal('none')])
    .optional()
    .meta({ description: '`none` for alerts without an incident' }),
  dedupKey: text(300).optional(),
  createdFrom: Day.optional().meta({ description: 'alerts created on this day (UTC) or later' }),
  createdTo: Day.optional().meta({ description: 'alerts created on this day or earlier' }),
};

export type AlertFilter = z.output<z.ZodObject<typeof alertFilters>> & {
  search?: string | undefined;
  matching?: Marked;
};

/** The alerts that fit a filter. */
export function alertSelection(filter: AlertFilter, caller: Caller): Selection {
  const { search, status, severity, createdFrom: from, createdTo: to } = filter;
  const { source, ruleId: rule, assetId: asset, dedupKey, technique, incidentId, user } = filter;
  const where = given({
    status,
    severity,
    source,
    rule,
    asset,
    dedupKey,
    user: user && accountName(user),
    technique: technique?.toUpperCase(),
    assigneeId: assigneeIn(filter.assigneeId, caller),
    incident: incidentId === 'none' ? null : incidentId,
  });
  return { ...selected(where, search), ...betweenDays('created', { from, to }), ...matchingIn(filter) };
}

/** Narrows a list of incidents too. */
export const incidentAssignee = assigneeId;

/** The condition of a filter, if it has one. */
export const matchingIn = ({ matching }: { matching?: Marked }) => matching && { matching };

export const selected = (where: NonNullable<Selection['where']>, search: string | undefined): Selection => ({
  ...(Object.keys(where).length > 0 && { where }),
  ...(search !== undefined && { search }),
});

type Days = { from: string | undefined; to: string | undefined };

/** @throws validation_failed for days in the wrong order */
export function betweenDays(name: string, { from, to }: Days): Pick<Selection, 'between'> {
  if (from && to && from > to) throw invalid(`${name}From`, `must be ${to} or earlier`);
  return from || to ? { between: { [name]: given({ from, to }) } } : {};
}
