import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { anyOf, Listing, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { Severity } from '#shared/reports/report/report.ts';
import {
  DETECTION_ORIGINS,
  DETECTION_TYPES,
  DetectionException,
  DetectionRule,
  DetectionRuleListItem,
  DetectionRuleView,
  EFFECTS,
} from '#shared/soc/detection/detection-rule.ts';
import { SiemEvent } from '#shared/soc/siem/event.ts';

const path = '/api/v1/detection/rules';

const name = z.string().trim().toLowerCase().min(1).max(256).optional();

/** Each narrows a list of rules; they combine in any way. */
export const ruleFilters = {
  enabled: z.enum(['true', 'false']).optional(),
  effect: z.enum(EFFECTS).optional(),
  origin: z.enum(DETECTION_ORIGINS).optional(),
  type: z.enum(DETECTION_TYPES).optional(),
  severity: anyOf(Severity).optional(),
  technique: z.string().min(1).max(40).optional().meta({
    description: 'an ATT&CK technique; `T1059` finds its sub-techniques too',
  }),
  category: name.meta({ description: 'of the log source' }),
  product: name,
  service: name,
};

/** An event of a test: the fields that a rule can read. */
const TriedEvent = SiemEvent.extend({ id: z.string() }).partial().meta({ id: 'DetectionTestEvent' });
export type TriedEvent = z.infer<typeof TriedEvent>;

export const DetectionTest = objectNamed('DetectionTest', {
  content: DetectionRule.shape.content,
  events: z
    .array(TriedEvent)
    .max(1_000)
    .meta({
      description: '`at` is the present if absent; events of the log search can be sent as they are',
      example: [
        {
          category: 'process_creation',
          product: 'windows',
          host: 'pc-7',
          fields: { Image: 'C:\\Windows\\System32\\net.exe', CommandLine: 'net  group "domain admins"' },
        },
      ],
    }),
});

const DetectionTestResult = objectNamed('DetectionTestResult', {
  rule: DetectionRuleListItem.pick({
    title: true,
    severity: true,
    type: true,
    logsources: true,
    attackTechniques: true,
    sigmaId: true,
  })
    .nullable()
    .meta({ description: 'null for a text that cannot be evaluated' }),
  errors: z.array(z.object({ path: z.string(), message: z.string() })),
  events: z.array(
    z.object({
      index: z.int().nonnegative(),
      inLogSource: z.boolean().meta({ description: 'the rule looks at events of this log source' }),
      matches: z.boolean(),
    }),
  ),
  alerts: z
    .array(
      z.object({
        group: z.array(z.string()).meta({ description: 'the values of `group-by`; the host of a rule without' }),
        eventCount: z.int().positive(),
        firstEventAt: Timestamp,
        lastEventAt: Timestamp,
      }),
    )
    .meta({ description: 'the alerts that these events alone would make within one window' }),
});
export type DetectionTestResult = z.infer<typeof DetectionTestResult>;

export const DetectionPack = objectNamed('DetectionPack', {
  uploadId: Id.meta({
    description:
      'a finished upload of your own, of at most 64 MiB (`POST /api/v1/uploads`): a zip archive with files that end with .yml or .yaml, or ' +
      'one text of many YAML documents',
  }),
  enabled: z.boolean().default(true).meta({ description: 'whether new rules are on; others stay on or off' }),
});
export type DetectionPack = z.infer<typeof DetectionPack>;

const DetectionRuleWeeks = objectNamed('DetectionRuleWeeks', {
  weeks: z.array(
    z.object({
      week: z.iso.date().meta({ description: 'its Monday, in UTC' }),
      matches: z.int().nonnegative().meta({ description: 'events, also of a signal' }),
      alerts: z.int().nonnegative(),
    }),
  ),
});

const DetectionExceptionPreview = objectNamed('DetectionExceptionPreview', {
  since: Timestamp,
  alerts: z.int().nonnegative().meta({ description: 'of the rule, created since then' }),
  looked: z.int().nonnegative().meta({ description: 'alerts of which it is certain whether they would be there' }),
  silenced: z.int().nonnegative().meta({ description: 'of these, the alerts that would not be there' }),
  events: z.int().nonnegative().meta({ description: 'events of the alerts that were found' }),
  silencedEvents: z.int().nonnegative().meta({ description: 'of these, the events that the exception covers' }),
  isComplete: z.boolean().meta({ description: 'false: the numbers are at least these' }),
});
export type DetectionExceptionPreview = z.infer<typeof DetectionExceptionPreview>;

const REFUSED =
  'Unsupported features are refused: the message and `details` name the place in the text ' +
  '(`content.detection.selection.Image|expand`) and the reason.';

export const detectionRuleRoutes = defineRoutes({
  listDetectionRules: get(path, {
    summary: 'List detection rules, newest first',
    description:
      'The list includes the starter rules of the service (`origin`) and omits the texts. `GET /api/v1/soc/alerts?ruleId=<id>` ' +
      'lists the alerts of a rule.',
    access: reads('soc:read'),
    query: Listing.extend(ruleFilters),
    response: searchPageOf(DetectionRuleListItem),
  }),
  searchDetectionRules: get(`${path}/search`, {
    summary: 'Search detection rules by the words of their title, techniques and log source',
    description: 'The filters of the list combine with the words.',
    access: reads('soc:read'),
    query: SearchQuery.extend(ruleFilters),
    response: searchPageOf(DetectionRuleListItem),
  }),
  createDetectionRule: post(path, {
    summary: 'Create a detection rule in the Sigma format',
    description:
      'The rule applies to events that arrive from now on. An organization has at most 8,000 rules. A correlation may name stored rules ' +
      `by their id or name. ${REFUSED}`,
    access: writes('soc:write'),
    body: createBody(DetectionRule),
    response: DetectionRuleView,
  }),
  testDetectionRule: post(`${path}/test`, {
    summary: 'Test the text of a rule on sample events',
    description:
      'The request changes nothing. A text that cannot be evaluated is answered with its `errors`. A text that takes too many ' +
      'steps on these events is answered with `validation_failed`; the message names the pattern.',
    access: reads('soc:read'),
    readOnly: true,
    maxBody: MAX_REPORT_BYTES,
    body: DetectionTest,
    response: DetectionTestResult,
  }),
  importDetectionRules: post(`${path}/packs`, {
    summary: 'Import a pack of up to 5,000 detection rules',
    description:
      'A queued task creates the rules that the organization lacks, and changes its own rules with the same `id` to the text of the pack; ' +
      'it deletes none. A file is one rule, or a correlation with all rules that it counts. Of another text with several ' +
      'documents each is a rule of its own; those that a correlation of the text counts become signals, unless it says `generate: true`. ' +
      'A rule that is refused keeps no other from being imported. The `result` is `{created, updated, unchanged, refused: [{file, ' +
      'message}], refusedCount}`. The same pack again changes nothing.',
    access: writes('soc:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    body: DetectionPack,
    response: WaitedResponse,
  }),
  getDetectionRule: get(`${path}/{id}`, {
    summary: 'Read a detection rule with its text',
    description: 'To change a starter rule, send its `content` as a new rule and disable the old one.',
    access: reads('soc:read'),
    response: DetectionRuleView,
  }),
  getDetectionRuleWeeks: get(`${path}/{id}/weeks`, {
    summary: 'Read how many events a rule matched, and how many alerts it raised, by week',
    description: 'The last 13 weeks, the present one first. Events that an exception covers are not counted.',
    access: reads('soc:read'),
    response: DetectionRuleWeeks,
  }),
  previewDetectionException: post(`${path}/{id}/exceptions/preview`, {
    summary: 'See which alerts of the last 30 days an exception of a rule would have silenced',
    description:
      'The request changes nothing. It reads the stored events of the alerts (the newest 200 alerts, 1,000 events of each, for ten seconds at most) and tries the ' +
      'rule on them without and with the exception. What it counts is exact; with `isComplete` false it is at least so much, because there are more alerts, or events ' +
      'of theirs are not stored any more or no longer fit the rule. A signal has no alerts: hunt for its events.',
    access: reads('soc:read'),
    readOnly: true,
    body: DetectionException.pick({ where: true }).meta({ id: 'DetectionExceptionTried' }),
    response: DetectionExceptionPreview,
  }),
  updateDetectionRule: patch(`${path}/{id}`, {
    summary: 'Change a detection rule, or turn it on or off',
    description:
      'A merge patch. The change restarts the counts of a correlation, and of those that count the rule. The text of a starter rule cannot ' +
      'be changed, and a rule that others count keeps its names and stays on (`conflict`). ' +
      `${REFUSED}`,
    access: writes('soc:write'),
    body: patchBody(DetectionRuleView),
    response: DetectionRuleView,
  }),
  deleteDetectionRule: remove(`${path}/{id}`, {
    summary: 'Delete a detection rule',
    description:
      'The alerts of the rule stay. A starter rule cannot be deleted (`conflict`): disable it instead. Nor can a rule that others count.',
    access: writes('soc:write'),
    response: Deletion,
  }),
});
