import { setTimeout as sleep } from 'node:timers/promises';
import { userRoutes } from '#functions/people/users/routes.ts';
import { allowed, exampleBody, type NamedRoute, paramNames, routes, type TestCaller } from './every-route.ts';

/**
 * One record in every collection that has some, made through the interface itself from the examples of its operations.
 * @returns the record's id by the path of its collection
 */
export async function recordsOf(callers: TestCaller[]): Promise<Map<string, string>> {
  const records = new Map<string, string>();
  for (const route of routes.filter(isCreation).toSorted(byNeed)) {
    const { taskId, uploadId, resource, id = uploadId } = await request(callers, route, records);
    if (typeof id === 'string') records.set(route.path, id);
    if (Object(resource).type === 'engagement') records.set('engagementId', Object(resource).id);
    if (typeof taskId !== 'string') continue;
    records.set('/api/v1/tasks', taskId);
    await finished(callers, route, taskId);
  }
  for (const route of routes.filter(isList)) {
    const { data } = await request(callers, route);
    const [first] = Array.isArray(data) ? data : [];
    if (first?.id && !records.has(route.path)) records.set(route.path, first.id);
    // assets are named by their findings
    if (first?.asset) records.set('/api/v1/assets', first.asset.id);
  }
  // the same tasks, as the scanner that holds one names them
  const task = records.get('/api/v1/validation-operations/scanner-tasks');
  if (task) records.set('/api/v1/scanner_communication/tasks', task);
  // any machine
  const scanner = records.get('/api/v1/validation-operations/scanners');
  if (scanner) records.set('/api/v1/machines', scanner);
  // a device makes passkeys: test/http/passkeys.test.ts names a real one of another person
  records.set('/api/v1/users/me/passkeys', 'passkey-of-nobody');
  // a sign-in at a provider makes them: test/http/provider-enforcement.test.ts removes one
  records.set('/api/v1/users/me/identities', 'provider-of-nobody');
  return records;
}

/**
 * The records as others name them. Staff reach every organization and every template: they must not find another record in
 * the place of these.
 */
export function asOthersName(records: ReadonlyMap<string, string>): Map<string, string> {
  const scanner = records.get('/api/v1/validation-operations/scanners') ?? '';
  return new Map([...records, ['/api/v1/organizations', scanner], ['/api/v1/organizations/all/templates', scanner]]);
}

const isPlain = (route: NamedRoute) => paramNames(route).length === 0 && route.access !== 'public';
const hasRecords = (route: NamedRoute) => routes.some(({ path }) => path.startsWith(`${route.path}/{`));
/** Messages of machines rarely make a record that is read by its id. */
const isCreation = (route: NamedRoute) =>
  route.method === 'POST' && isPlain(route) && (!route.lenient || hasRecords(route)) && !needsOthers(route);
/** They work only for a task that the caller holds, for a target of deliveries, for a finished upload, for a deletion that the provider asked for, with the code that an app or a program shows, with the signature of a passkey, and with the key of a payment processor: no example has these. */
const needsOthers = ({ name, body }: NamedRoute) =>
  [
    'recoverDeliveries',
    'simulateDeliveries',
    'importDetectionRules',
    'submitCompletion',
    'cancelOwnDeletion',
    'addMyPasskey',
    'startBillingCheckout',
    'openBillingPortal',
  ].includes(name) ||
  [
    userRoutes.confirmTotp,
    userRoutes.findDeviceCode,
    userRoutes.approveDeviceCode,
    userRoutes.requestConfirmation,
  ].some((one) => one.body === body);
const namesEngagement = (route: NamedRoute): boolean => Object.hasOwn(Object(exampleBody(route)), 'engagementId');
/** Records of an engagement come after it. */
const byNeed = (a: NamedRoute, b: NamedRoute) => Number(namesEngagement(a)) - Number(namesEngagement(b));
const isList = (route: NamedRoute) => route.method === 'GET' && isPlain(route) && hasRecords(route);

async function request(
  callers: TestCaller[],
  route: NamedRoute,
  records: ReadonlyMap<string, string> = new Map(),
): Promise<Record<string, unknown>> {
  const caller = allowed(callers, route);
  const example = exampleBody(route);
  const engagement = namesEngagement(route) && { engagementId: records.get('engagementId') };
  const template = 'templateId' in Object(example) && { templateId: records.get('/api/v1/report-templates') };
  const body = engagement || template ? { ...Object(example), ...engagement, ...template } : example;
  const answer = await caller?.client.send(route.method, route.path, { body });
  if (answer?.status !== 200) throw new Error(`${route.name} refuses its own example: ${JSON.stringify(answer?.body)}`);
  return Object(answer.body);
}

/** Its worker writes nothing more after this. */
async function finished(callers: TestCaller[], route: NamedRoute, id: string): Promise<void> {
  const caller = allowed(callers, route);
  for (;;) {
    const task = await caller?.client.ok('getTask', { params: { id }, query: { waitSeconds: 20 } });
    if (task?.finishedAt) break;
    await sleep(100);
  }
}
