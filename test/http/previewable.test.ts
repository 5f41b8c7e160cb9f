import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { routes } from '../support/every-route.ts';

/** Other answers that show beforehand what an operation changes. */
const ELSEWHERE: Record<string, string> = {
  acceptMergeSuggestion: 'previewChange of mergeAssets, for the same two assets',
  confirmHeldClosing: 'listImports: the import is held for this question, and names what it would close',
  createTicketRule: 'previewTicketRule',
  updateTicketRule: 'previewTicketRule, with the rule as it would be',
  updateSavedFilter: 'previewSavedFilter',
  updateVulnerability: 'a dryRun of updateVulnerabilities, with its id',
  handOver: 'getBelongings',
  endNamedBranch: 'previewChange of endBranch, with the id of the branch',
};

/** Operations without a preview, by the reason. */
const WITHOUT: Record<string, readonly string[]> = {
  'is refused with the names of the records that use it': [
    ...['deleteRole', 'deleteTeam', 'deleteSavedFilter', 'deleteGroup', 'deletePublicGroup'],
    ...['deleteCredential', 'deleteTicketingConnection'],
  ],
  'changes the record that it names, and a task may bring others to that record': [
    ...[
      'updateCodehostARepo',
      'updateCodehostBRepo',
      'createAsset',
      'createFinding',
      'updateFinding',
      'deleteFinding',
      'updateBranch',
    ],
    ...['updateCodehostABranch', 'updateCodehostBBranch', 'createRemediation', 'updateRemediation'],
    ...['deleteRemediation', 'deleteTicketRule', 'deleteAssetMapping', 'dismissMergeSuggestion', 'addTimelineNote'],
    ...['deleteIdentity', 'deleteAlertComment', 'deleteFindingComment', 'deleteFindingEvidence'],
    ...['deleteEngagementNote', 'deleteWorkEntry', 'deleteSalesRequest', 'deleteCalendarFeed'],
    ...['deleteOrganizationTemplate', 'createSavedFilter', 'createOrganizationTemplate', 'updateOrganizationTemplate'],
    ...['createReportTemplate', 'updateReportTemplate', 'deleteReportTemplate', 'deleteReportSchedule', 'deleteReport'],
  ],
  'removes a machine, a source, a rule or a zone; their findings, assets and alerts stay': [
    ...['deleteAgent', 'deleteCollector', 'deleteIntegrator', 'deleteScanner', 'deletePublicScanner'],
    ...[
      'deleteAppliance',
      'deletePublicAppliance',
      'deleteWebhookEndpoint',
      'deleteIntegration',
      'deleteSource',
      'deleteDetectionRule',
    ],
    ...['deleteApexTask', 'deleteCampaign', 'deleteZone'],
  ],
  'ends an access that it names': [
    ...['revokeApiKey', 'revokeLinkToken', 'revokeSupportGrant', 'endMySession', 'endMySessions'],
    ...['deactivateUser', 'revokeServiceAccount', 'unlinkIdentity', 'unlinkMyIdentity'],
    ...['deleteIdentityProvider', 'removeProviderDomain', 'revokeTrustedPublisher'],
  ],
  'changes no record: it chooses which events are sent': [
    ...['createWebhookEndpoint', 'updateWebhookEndpoint'],
    ...['createNotificationSubscription', 'updateNotificationSubscription', 'deleteNotificationSubscription'],
  ],
  'is about the inbox of the caller': ['readNotifications', 'unreadNotifications', 'unfollowFinding'],
  'makes a report, which changes no other record': ['generateReport', 'generateReportOfTemplate'],
  'brings a report, a scan or work of machines, which only its end shows': [
    ...[
      'importFindings',
      'importDetectionRules',
      'sendInventory',
      'reportApexFindings',
      'syncIntegration',
      'syncTicket',
      'verifyRemediation',
    ],
    ...['completeScannerTasks', 'completeApexTasks', 'completeResponseActions', 'leaseScannerTasks'],
    ...['leaseApexTasks', 'leaseResponseActions', 'updateApexSession', 'scanCodehostABranch', 'scanCodehostBBranch'],
    ...['runCampaign', 'stopAllApex', 'createEngagement', 'updateEngagement', 'startEngagement', 'runEngagement'],
    ...['approveEngagement', 'rejectEngagement', 'cancelEngagement', 'completeEngagement', 'replayDelivery'],
    ...['replayBillingDelivery', 'replayTicketingDelivery', 'startMaintenance'],
  ],
  'is about a whole organization, and waits for a second person or for days': [
    ...['deleteOrganization', 'approveOrganizationDeletion', 'approveOrganizationRestoration', 'copyOrganization'],
    ...['cancelOrganizationDeletion', 'cancelOwnDeletion'],
  ],
};

const textOf = (schema: unknown, io: 'input' | 'output'): string =>
  schema instanceof z.ZodType ? JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io })) : '';

/** Deletes a record, starts a task, or selects its records. */
const mayChangeMany = ({ method, readOnly, response, body }: (typeof routes)[number]) =>
  method !== 'GET' &&
  !readOnly &&
  (method === 'DELETE' ||
    textOf(response, 'output').includes('"taskId"') ||
    /"(filter|ids)"/.test(textOf(body, 'input')));

type Form = { properties: Record<string, { const?: string }> };
type Forms = { oneOf?: { $ref: string }[]; $defs?: Record<string, Form & { oneOf?: { $ref: string }[] }> };

/** The changes that `previewChange` takes: their operation, and the names of its other members. */
function previewed(): Map<string, string[]> {
  const { body } = routes.find(({ name }) => name === 'previewChange') ?? {};
  if (!(body instanceof z.ZodType)) throw new Error('previewChange takes no body');
  const { $defs = {}, oneOf = $defs.PreviewedChange?.oneOf ?? [] } = z.toJSONSchema(body, {
    unrepresentable: 'any',
    io: 'input',
  }) as Forms;
  return new Map(
    oneOf.map(({ $ref }) => {
      const { operation, ...others } = $defs[$ref.split('/').at(-1) ?? '']?.properties ?? {};
      return [operation?.const ?? '', Object.keys(others).sort()];
    }),
  );
}

test('each operation that may change many records has a preview, or a reason why not', () => {
  const known = [...previewed().keys(), ...Object.keys(ELSEWHERE), ...Object.values(WITHOUT).flat()];
  const asked = routes.filter(mayChangeMany);
  const unknown = asked.filter(
    ({ name, body }) => !known.includes(name) && !textOf(body, 'input').includes('"dryRun"'),
  );
  expect(unknown.map(({ name }) => name)).toEqual([]);
  const names = asked.map(({ name }) => name);
  expect(known.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(known).size).toBe(known.length);
});

test('a preview takes the parameters of the path and the body of its operation', () => {
  for (const [operation, members] of previewed()) {
    const route = routes.find(({ name }) => name === operation);
    const params = [...(route?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect({ operation, members }).toEqual({
      operation,
      members: [...params, ...(route?.body ? ['body'] : [])].sort(),
    });
  }
});

test('each preview is compared with the effect of its change', () => {
  const tests = readdirSync('test/http').filter((file) => /^(previews.*|filter-properties)\.test\.ts$/.test(file));
  const text = tests.map((file) => readFileSync(`test/http/${file}`, 'utf8')).join();
  const isTried = (name: string) => text.includes(`operation: '${name}'`) && text.includes(`ok('${name}'`);
  // the undos of bulk changes are a table of one test
  const isInTable = (name: string) => name.startsWith('undo') && text.includes(`'${name}'] as const`);
  const unmade = [...previewed().keys()].filter((name) => !isTried(name) && !isInTable(name));
  expect(unmade).toEqual([]);
});
