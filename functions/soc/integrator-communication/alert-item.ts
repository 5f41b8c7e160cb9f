import * as z from 'zod';
import { truncatedText } from '#shared/platform/http/bounded-field.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { AlertEntity, MAX_ENTITIES } from '#shared/soc/alerts/alert.ts';

const { type, value } = AlertEntity.shape;

/** An alert of a product that the integrator watches. Long texts are cut, so that no alert is lost for its length. */
export const IntegratorAlert = objectNamed('IntegratorAlert', {
  externalId: z.string().min(1).max(300).meta({
    description: 'the id of the alert in its product; an alert that is sent again within 90 days counts once',
  }),
  title: truncatedText(300).min(1),
  description: truncatedText(10_000).nullish(),
  severity: Severity,
  source: z.enum(['siem', 'edr', 'cloud', 'identity']),
  ruleId: truncatedText(300).nullish(),
  ruleName: truncatedText(300).nullish(),
  attackTechniques: z.array(z.string().max(40)).max(100).default([]).meta({
    description: 'ids of MITRE ATT&CK; the service ignores unknown ids and names them in the answer',
  }),
  entities: z
    .array(z.object({ type, value }))
    .max(200)
    .default([])
    .meta({ description: `the first ${MAX_ENTITIES} are kept` }),
  dedupKey: z.string().min(1).max(300).nullish().meta({
    description: 'alerts with the same key within the window become one alert; absent: a separate alert',
  }),
  eventCount: z.int().min(1).max(1_000_000_000).default(1),
  firstEventAt: Timestamp.optional().meta({ description: 'now if absent, or in the future' }),
  lastEventAt: Timestamp.optional().meta({ description: '`firstEventAt` if absent' }),
});
export type IntegratorAlert = z.infer<typeof IntegratorAlert>;
