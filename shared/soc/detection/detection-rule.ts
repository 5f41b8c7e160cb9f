import * as z from 'zod';
import { live, objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { techniqueMarks } from '../alerts/attack-technique.ts';
import { MAX_TEXT } from '../sigma/documents.ts';
import { CORRELATION_TYPES } from '../sigma/rule.ts';

export const DETECTION_TYPES = ['events', ...CORRELATION_TYPES, 'new_terms', 'filter'] as const;
export const DETECTION_ORIGINS = ['custom', 'starter'] as const;

const EXAMPLE = `title: Reconnaissance by net.exe
logsource:
  category: process_creation
  product: windows
detection:
  selection:
    Image|endswith: '\\net.exe'
    CommandLine|contains: ' group '
  condition: selection
level: low
tags: [attack.t1069]
`;

/** An exception covers an event in which each of these fields has this value. */
export const DetectionException = z
  .object({
    where: z
      .record(z.string().min(1).max(256), z.string().min(1).max(1024))
      .refine((where) => Object.keys(where).length > 0 && Object.keys(where).length <= 10, 'must name 1 to 10 fields')
      .meta({
        description:
          'fields and their values, all of which an event must have; without letter case, `*` and `?` are wildcards',
        example: { host: 'build-01', Image: '*\\msbuild.exe' },
      }),
    reason: trimmedText(500).meta({ example: 'The build server compiles every night.' }),
    endsAt: Timestamp.nullable()
      .default(null)
      .meta({ description: 'the exception ends by itself at this time; null never ends' }),
  })
  .meta({ id: 'DetectionException' });
export type DetectionException = z.infer<typeof DetectionException>;

const MAX_EXCEPTIONS = 100;
export const EFFECTS = ['alert', 'signal'] as const;

const part = z.string().nullable();
const LogSource = z.object({ category: part, product: part, service: part }).meta({ id: 'DetectionLogSource' });

/** A rule that makes alerts of events. */
export const DetectionRule = objectNamed('DetectionRule', {
  ...recordFields,
  content: z.string().min(1).max(MAX_TEXT).meta({
    description:
      "the rule as YAML text of Sigma; docs/detection.md lists what is supported. A starter rule's text stays as it is",
    example: EXAMPLE,
  }),
  enabled: z.boolean().default(true),
  effect: z
    .enum(EFFECTS)
    .nullish()
    .meta({ description: '`signal`: matches are counted by week and raise no alert; `alert` if absent' }),
  exceptions: z
    .array(DetectionException)
    .max(MAX_EXCEPTIONS)
    .nullish()
    .meta({ description: 'events that the rule leaves out from now on; also for starter rules' }),
  switchedOffReason: readOnly(
    z
      .string()
      .nullish()
      .meta({
        description:
          'why the service turned the rule off: it is over its budget (docs/detection.md), or this release refuses its text. Turning the ' +
          'rule on again removes the reason',
      }),
  ),
  learnsUntil: readOnly(
    Timestamp.nullish().meta({
      description:
        'of `new_terms`: the rule learns which values are usual until then, for the length of its window, and raises no alert',
    }),
  ),
  title: readOnly(z.string()),
  description: readOnly(z.string().nullable()),
  severity: readOnly(Severity.meta({ description: 'of its alerts: the `level`, with `informational` as `info`' })),
  type: readOnly(
    z.enum(DETECTION_TYPES).meta({
      description:
        '`events`: each event that fits; `new_terms`: the first events with a value; `filter`: other rules match only events that it lets through; else the type of the correlation',
    }),
  ),
  logsources: readOnly(z.array(LogSource)),
  attackTechniques: readOnly(z.array(z.string()).meta({ description: 'from the tags `attack.t1059` ...' })),
  sigmaId: readOnly(z.string().nullable().meta({ description: 'the `id` of the text' })),
  sigmaName: readOnly(z.string().nullish().meta({ description: 'the `name` of the text' })),
  counts: readOnly(
    z.array(z.uuid()).nullish().meta({ description: 'the stored rules that a correlation names, as their ids here' }),
  ),
  origin: readOnly(z.enum(DETECTION_ORIGINS).meta({ description: '`starter`: comes with the service' })),
  starter: readOnly(z.string().nullable().meta({ description: 'the name of the starter rule' })),
});
export type DetectionRule = z.infer<typeof DetectionRule>;

/** A rule by itself. */
export const DetectionRuleView = DetectionRule.extend({
  unseenLogsources: live(z.array(LogSource)).meta({
    description:
      'those of its log sources of which no event came in the last seven days: there the rule can match nothing',
    readOnly: true,
  }),
}).meta({ id: 'DetectionRuleView' });

/** A rule in lists. */
export const DetectionRuleListItem = DetectionRule.omit({ content: true, description: true, exceptions: true }).meta({
  id: 'DetectionRuleListItem',
});

const named = (rule: DetectionRule, name: 'category' | 'product' | 'service'): string[] => [
  ...new Set(rule.logsources.flatMap((source) => source[name] ?? [])),
];

export const detectionRules = defineEntity<DetectionRule, 'content' | 'description' | 'exceptions'>(DetectionRule, {
  name: 'detection-rule',
  facets: ({ content }) => ({ characters: content.length }),
  search: (rule) => [
    rule.title,
    ...rule.attackTechniques,
    ...(['category', 'product', 'service'] as const).flatMap((name) => named(rule, name)),
  ],
  indexed: (rule) => ({
    enabled: String(rule.enabled),
    effect: rule.effect ?? 'alert',
    origin: rule.origin,
    severity: rule.severity,
    type: rule.type,
    technique: techniqueMarks(rule.attackTechniques),
    category: named(rule, 'category'),
    product: named(rule, 'product'),
    service: named(rule, 'service'),
    named: [rule.sigmaId, rule.sigmaName].flatMap((name) => name ?? []),
    counts: rule.counts ?? [],
  }),
  unique: ({ starter }) => ({ starter }),
  detail: ['content', 'description', 'exceptions'],
  feedFields: ['title', 'enabled', 'switchedOffReason', 'severity', 'effect', 'exceptions', 'content'],
});
