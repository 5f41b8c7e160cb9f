import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { FILTERED_ENTITIES, type FilteredEntity } from '#shared/platform/filter/filter.ts';
import type { OperationName } from '../support/client.ts';
import { routes } from '../support/every-route.ts';
import { INDEXED } from '../support/filtered-records.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
let organization: TestOrganization;
beforeAll(async () => {
  organization = await system.newOrganization();
});

const LISTS: Record<FilteredEntity, OperationName> = {
  ...(Object.fromEntries(Object.entries(INDEXED).map(([entity, { list }]) => [entity, list])) as Record<
    keyof typeof INDEXED,
    OperationName
  >),
  task: 'listTasks',
  audit: 'listAudit',
  delivery: 'listSentDeliveries',
};

test.each(FILTERED_ENTITIES)(
  'the list of %s takes filters of its fields, also saved ones, and none of others',
  async (entity) => {
    const { admin } = organization;
    const [field] = await admin.ok('listFilterFields', { query: { entity } });
    const filter = field?.example ?? '';
    const list = (query: object) => admin.call(LISTS[entity], { query } as never);
    expect(await list({ filter })).toMatchObject({ status: 200 });
    const save = (of: FilteredEntity) =>
      admin.ok('createSavedFilter', { body: { name: of, entity: of, filter: of === entity ? filter : 'text:a1' } });
    expect(await list({ filterId: (await save(entity)).id })).toMatchObject({ status: 200 });
    const other = await save(entity === 'finding' ? 'asset' : 'finding');
    expect(await list({ filterId: other.id })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'filterId', message: expect.stringMatching(`and not of ${entity}`) }] },
    });
  },
);

/** Lists of records that another list filters, and how that list selects the same records. */
const ELSEWHERE: Record<string, string> = {
  getTopFindings: 'listFindings, by sort=priority',
  listEngagementFindings: 'listFindings with filter=engagement:<id>; staff read it in the organizations of others',
  listIdentityAlerts: 'listAlerts with filter=user:<name>',
  listIdentityCredentials: 'listExposedCredentials with filter=account:<name>',
  listEngagementRequests: 'listEngagements with filter=status:requested',
  listIntelFindings: 'listFindings; machines of Apex read the targets of their engagement there',
  listOwnActivity: 'listAudit with filter=actor:me, for those who read the log',
  searchAvailableAssets: 'listAssets with filter=-application:<id> -retired:true',
};

test('each list of records that filters select takes them, or another list does', () => {
  const lists = routes.flatMap(({ name, method, query, response }) => {
    const of = method === 'GET' && response instanceof z.ZodType ? itemOf(response) : undefined;
    return of ? [{ name, of, takes: query instanceof z.ZodType && 'filter' in propertiesOf(query, 'input') }] : [];
  });
  const filtered = new Set(lists.flatMap(({ of, takes }) => (takes ? of : [])));
  expect(filtered.size).toBeGreaterThanOrEqual(FILTERED_ENTITIES.length);
  const without = lists.filter(({ of, takes }) => filtered.has(of) && !takes).map(({ name }) => name);
  expect(without.toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted());
});

type Schema = { $ref?: string; items?: Schema; properties?: Record<string, Schema>; $defs?: Record<string, Schema> };

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema =>
  z.toJSONSchema(schema, { unrepresentable: 'any', io }) as Schema;

function propertiesOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, Schema> {
  const { $ref, $defs, properties } = schemaOf(schema, io);
  return properties ?? $defs?.[$ref?.split('/').at(-1) ?? '']?.properties ?? {};
}

const itemOf = (response: z.ZodType): string | undefined =>
  (propertiesOf(response, 'output').data?.items ?? schemaOf(response, 'output').items)?.$ref;

type Place = { operation: OperationName; path: string; request: (filter: string) => object };

const body = (given: object) => ({ body: given });
const params = { id: crypto.randomUUID() };
const rule = { name: 'x', status: 'out_of_scope', reason: 'x' };

/** Every place beside lists that takes a filter. */
const PLACES: Place[] = [
  { operation: 'checkFilter', path: 'filter', request: (filter) => body({ entity: 'finding', filter }) },
  {
    operation: 'createSavedFilter',
    path: 'filter',
    request: (filter) => body({ name: 'x', entity: 'finding', filter }),
  },
  { operation: 'createFindingRule', path: 'filter', request: (filter) => body({ ...rule, filter }) },
  {
    operation: 'createTicketRule',
    path: 'filter',
    request: (filter) => body({ name: 'x', opensFor: 'finding', project: 'SEC', filter }),
  },
  {
    operation: 'createAssetTagRule',
    path: 'condition',
    request: (condition) => body({ name: 'x', condition, tags: ['x'] }),
  },
  {
    operation: 'updateSlaPolicies',
    path: 'exceptions.0.filter',
    request: (filter) => body({ exceptions: [{ name: 'x', days: { high: 3 }, filter }] }),
  },
  { operation: 'importFindings', path: 'gate.filter', request: (filter) => body({ content: '{}', gate: { filter } }) },
  {
    operation: 'judgeImport',
    path: 'filter',
    request: (filter) => ({ params: { taskId: params.id }, query: { filter } }),
  },
  {
    operation: 'createWebhookEndpoint',
    path: 'matching.filter',
    request: (filter) =>
      body({ name: 'x', url: 'https://hooks.example.com/x', matching: { entity: 'finding', filter } }),
  },
  {
    operation: 'createNotificationSubscription',
    path: 'matching.filter',
    request: (filter) => {
      const to = { kind: 'administrators' };
      return body({
        name: 'x',
        types: ['finding.*'],
        channels: ['inbox'],
        to,
        matching: { entity: 'finding', filter },
      });
    },
  },
  { operation: 'generateReport', path: 'filter', request: (filter) => body({ kind: 'executive', filter }) },
  { operation: 'listFrameworks', path: 'filter', request: (filter) => ({ query: { filter } }) },
  { operation: 'listControls', path: 'filter', request: (filter) => ({ query: { filter } }) },
  ...(
    [
      ['updateFindings', { addTags: ['x'] }],
      ['updateVulnerabilities', { status: 'open' }],
      ['updateExposedCredentials', { status: 'active' }],
      ['updateAlerts', { severity: 'low' }],
      ['updateIncidents', { severity: 'low' }],
    ] as const
  ).map(([operation, changes]) => ({
    operation,
    path: 'filter',
    request: (filter: string) => body({ filter: { filter }, changes }),
  })),
  ...(['exportFindings', 'exportVulnerabilities', 'exportAssets'] as const).map((operation) => ({
    operation,
    path: 'filter',
    request: (filter: string) => body({ format: 'csv', filter: { filter } }),
  })),
  {
    operation: 'previewChange',
    path: 'body.filter',
    request: (filter) => body({ operation: 'createFindingRule', body: { ...rule, filter } }),
  },
];

/** Operations that check a filter as another does. */
const AS: Record<string, string> = {
  updateFindingRule: 'createFindingRule',
  updateTicketRule: 'createTicketRule',
  previewTicketRule: 'createTicketRule',
  updateSavedFilter: 'createSavedFilter',
  previewSavedFilter: 'createSavedFilter',
  updateAssetTagRule: 'createAssetTagRule',
  previewAssetTagRule: 'createAssetTagRule',
  createAssetRule: 'createAssetTagRule',
  updateAssetRule: 'createAssetTagRule',
  previewAssetRule: 'createAssetTagRule',
  createAssetExclusion: 'createAssetTagRule',
  updateWebhookEndpoint: 'createWebhookEndpoint',
  updateNotificationSubscription: 'createNotificationSubscription',
  previewNotificationSubscription: 'createNotificationSubscription',
  createReportTemplate: 'generateReport',
  updateReportTemplate: 'generateReport',
  // their rules are checked where they are applied
  createOrganizationTemplate: 'createFindingRule',
  updateOrganizationTemplate: 'createFindingRule',
  // test/http/siem-hunts.test.ts: events have fields of any name
  exportEvents: 'createSavedFilter',
  // test/http/scan-policies.test.ts: a filter of a gate, as of importFindings
  updateCodehostARepo: 'importFindings',
  updateCodehostBRepo: 'importFindings',
};

test('each operation that takes a filter in its body is among these places, and takes saved filters too', () => {
  const bodies = routes.flatMap(({ name, body: of }) => {
    const text = of instanceof z.ZodType ? JSON.stringify(schemaOf(of, 'input')) : '';
    return /"(filter|condition)":\{/.test(text) ? [{ name, isSaved: text.includes('"filterId"') }] : [];
  });
  const known = [...PLACES.map(({ operation }) => operation), ...Object.keys(AS)];
  expect(bodies.map(({ name }) => name).filter((name) => !known.includes(name as OperationName))).toEqual([]);
  expect(Object.values(AS).filter((name) => !known.includes(name as OperationName))).toEqual([]);
  const unsaved = bodies.filter(({ isSaved }) => !isSaved).map(({ name }) => name);
  // the others are about filters themselves; events of logs have a filter of their own
  expect(unsaved.toSorted()).toEqual(
    ['checkFilter', 'createSavedFilter', 'exportEvents', 'previewSavedFilter', 'updateSavedFilter'].toSorted(),
  );
});

const leaf = { field: 'text', operator: 'matches', value: 'a1' };
const named = (field: string): string => JSON.stringify({ ...leaf, field });
const nested = (levels: number): object => (levels === 0 ? leaf : { not: nested(levels - 1) });

const HOSTILE: [name: string, filter: string][] = [
  ['groups', `${'('.repeat(900)}text:a1${')'.repeat(900)}`],
  ['negations', `${'-'.repeat(1_900)}text:a1`],
  ['levels', `${'-('.repeat(8)}text:a1${')'.repeat(8)}`],
  ['levels of JSON', JSON.stringify(nested(6))],
  ['300 levels of JSON', `${'{"not":'.repeat(300)}{}${'}'.repeat(300)}`.slice(0, 2_000)],
  ['comparisons', Array.from({ length: 51 }, () => 'text:a1').join(' ')],
  ['alternatives', Array.from({ length: 51 }, (_, n) => `text:a${n}`).join(' OR ')],
  ['values', `tag:${Array.from({ length: 201 }, (_, n) => n).join()}`],
  ['length', 'a1 '.repeat(700)],
  ['an open quotation mark', `text:a1 "${'\\"'.repeat(900)}`],
  ['a field in another alphabet', named('ѕeverity')],
  ['half of a character', '\ud800:x'],
  ['a right-to-left mark', named('\u202etag')],
  ['a member of the prototype', named('__proto__')],
  ['nothing', ' '],
];

describe.each(PLACES)('$operation', ({ operation, path, request }) => {
  test.each(HOSTILE)('refuses %s and names the field', async (_name, filter) => {
    const answer = await organization.admin.call(operation, request(filter) as never);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const { details = [] } = answer.body as { details?: { path: string }[] };
    expect(details.length).toBeGreaterThan(0);
    expect(details.map((one) => one.path).filter((one) => !one.startsWith(path))).toEqual([]);
  });
});
