import { expect, test } from 'vitest';
import * as z from 'zod';
import { areas } from '#functions/contract.ts';
import { type Schema, schemaOf } from '../support/answer-schema.ts';

/** Numbers of records that are no links of figures, by the record and the path within, and the reasons. */
const NOT_LINKED: readonly (readonly [RegExp, string])[] = [
  [
    / (.*\.)?(version|number|order|(max)?attempts?|fingerprintVersion|(forkP|p)ullRequest)$/i,
    'versions, positions, tries',
  ],
  [/ .*(Seconds|Minutes|Days|Days\.\*|minutes|days\.\w+|days\.\*)$/, 'durations'],
  [/ (.*\.)?(priority|minPriority|riskScore|most)$/, 'points'],
  [/ (.*\.)?(limits|parameters|settings)\./, 'settings and limits'],
  [/ (capacity|quantity|max\w+)$/, 'settings and limits'],
  [/ (.*\.)?(line|port|sizeBytes|bytes24h)$/, 'places and sizes'],
  [/ usage\./, 'calls and tokens'],
  [
    / (eventCount|events24h|reopenedCount|occurrences|uses|timesReplaced|runs)$/,
    'events, which are no records of a list',
  ],
  [/^Organization(Overview)? summary\./, 'of another organization, whose lists staff enter by a grant'],
  [
    /^(Task|ImportedReportItem|EngagementRun|ScannerTask|ApexCampaignRunListItem) /,
    'what one report, scan or run did: its findings may have changed since',
  ],
  [/^(Apex(Campaign|Task)(ListItem)?|Engagement) findings\./, 'what the runs did'],
  [/ policyScan\.comparison\./, 'what one scan did'],
  [
    / (tasks(Before)?\.\w+|runningTasks|my(Pending|Running))$/,
    'tasks of machines, which move faster than an answer is read',
  ],
  [
    /^(Repository|RepositoryBranch|SuggestedAsset) openFindings/,
    'the asset has the links: they would be half of each element of a list',
  ],
  [/^VulnerabilityListItem findingsCount$/, 'one vulnerability has the link'],
  [/^Control(Assessment|Evidence) /, 'a control has its findings and assets in its own answer'],
  [/ matchCount$/, 'assets are not found by the rule whose condition they meet'],
  [/^(Public)?ScannerGroup(ListItem)? scanners\./, 'scanners are not found by their group'],
  [/^Incident alerts\./, 'the filter `incident` of alerts lists them'],
  [/^Remediation progress\./, 'the filter `remediation` of findings lists them'],
  [/^ExposedCredential (open)?[pP]laces$/, 'findings and breach records together, which its answer names'],
  [/^(Role holders|Belongings assigned\.\*)$/, 'records of several collections together'],
  [/^StaffMember activeEngagements$/, 'of several organizations'],
  [/^(Finding evidenceFiles|Repository branches)$/, 'lists of their own below the record'],
  [/^(User mfa\.passkeys|DirectoryGroup memberCount)$/, 'of a person, and of a directory, who alone list them'],
  [/^\(searchIntelAssets\) /, 'entries of an inventory'],
  [/^BillingPlan every\.count$/, 'durations'],
  [/^SentDelivery(WithPayload)? attempts\./, 'answers of receivers and their times'],
  [/^Notification count$/, 'events, which are no records of a list'],
  [/^Report (headline\.\w+|rows)$/, 'frozen: the figures of the document have the links'],
];

test('each number of a record has a link of a figure, or a reason why not', () => {
  const numbers = [...new Set(areas.flatMap(({ routes }) => Object.entries(routes).flatMap(numbersOf)))];
  expect(numbers.length).toBeGreaterThan(100);
  const isKnown = (one: string) => NOT_LINKED.some(([pattern]) => pattern.test(one));
  expect(numbers.filter((one) => !isKnown(one)).sort()).toEqual([]);
  expect(NOT_LINKED.filter(([pattern]) => !numbers.some((one) => pattern.test(one)))).toEqual([]);
});

/** The whole numbers of the records of an answer that have no links of figures beside or around them. */
function numbersOf([name, { method, response }]: [string, { method: string; response: unknown }]): string[] {
  if (method !== 'GET' || !(response instanceof z.ZodType)) return [];
  const root = schemaOf(response);
  const found: string[] = [];
  const walk = (schema: Schema | boolean | undefined, record: string, path: string, seen: readonly string[]): void => {
    if (typeof schema !== 'object') return;
    const named = schema.$ref?.split('/').at(-1);
    if (named !== undefined && seen.includes(named)) return;
    if (named !== undefined) {
      walk(root.$defs?.[named], record, path, [...seen, named]);
      return;
    }
    const { properties = {}, anyOf = [], items, additionalProperties, type } = schema;
    if (JSON.stringify(properties.links ?? {}).includes('FigureL')) return;
    const isRecord = 'id' in properties;
    const [at, inner] = isRecord ? [seen.at(-1) ?? `(${name})`, ''] : [record, path];
    if (type === 'integer' && at !== '') found.push(`${at} ${inner}`);
    for (const one of anyOf) walk(one, at, inner, seen);
    const within = [...Object.entries(properties), ['*', items] as const, ['*', additionalProperties] as const];
    for (const [key, one] of within) walk(one, at, inner === '' ? key : `${inner}.${key}`, seen);
  };
  walk(root, '', '', []);
  return found;
}
