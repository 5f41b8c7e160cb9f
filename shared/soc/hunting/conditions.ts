import { FilterText } from '#shared/platform/filter/filter-text.ts';
import { anyOf } from '#shared/platform/http/pagination.ts';
import { Id, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';

const word = trimmedText(255).optional();

/** The conditions on events that searches, counts of values and exports share. */
export const EVENT_CONDITIONS = {
  from: Timestamp.optional().meta({ description: 'an hour before `to` if absent' }),
  to: Timestamp.optional().meta({ description: 'now if absent' }),
  sourceId: Id.optional(),
  host: word.meta({ description: 'the whole name, in upper or lower case' }),
  user: word.meta({ description: 'the whole name, in upper or lower case' }),
  severity: anyOf(Severity).optional(),
  search: trimmedText(200)
    .optional()
    .meta({
      description:
        'words of the event, all of which must match: whole words (`10.0.3.7`), parts between `:`, `/`, `\\`, `@`, or runs of letters ' +
        'and digits',
    }),
  filter: FilterText.optional().meta({
    description:
      'a filter with the fields of the events by their names, `host`, `user`, `severity`, `product` and so on (docs/siem.md)',
    example: 'EventID:4625 -user:svc-* "failed password"',
  }),
  alertId: Id.optional().meta({
    description: 'the events of this alert: those of its time and group that its rule, as it is now, matches',
  }),
  ruleId: Id.optional().meta({ description: 'only events that this detection rule, as it is now, matches' }),
};
