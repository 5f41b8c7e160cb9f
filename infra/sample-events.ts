import type { Area } from '#functions/area.ts';
import { type Access, isAllowed } from '#shared/platform/auth/permissions.ts';
import type { Route } from '#shared/platform/http/route.ts';
import { type Job, jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { exampleOf } from './openapi/example.ts';
import { areaFunction, type Service, scheduleFunction, service, workerFunction } from './service.ts';

/**
 * A sample event for each function, by its name: `npm run docs` writes them to `events/`. Placeholders such as
 * `{{apiKey}}` are filled by `npm run invoke`.
 */
export const sampleEvents = ({ areas, workers, schedules }: Service = service): Map<string, object> =>
  new Map([
    ...areas.map((area) => [areaFunction(area).name, requestOf(area)] as const),
    ...workers.map((worker) => [workerFunction(worker).name, deliveryOf(jobs[worker.job])] as const),
    ...schedules.map((schedule) => [scheduleFunction(schedule).name, scheduledEvent] as const),
  ]);

const ID = '01900000-0000-7000-8000-000000000000';
const TIME_MS = 1_768_469_400_000;

type Sample = { operation: string; body?: object; id?: string };

/**
 * Chosen operations: for areas where another operation shows more, whose machines send one schema to operations with
 * different fields, or whose only operation needs an existing record.
 */
const CHOSEN: Readonly<Record<string, Sample>> = {
  'scanner-communication': { operation: 'leaseScannerTasks', body: { capacity: 1 } },
  link: { operation: 'linkScanner', body: { name: 'sample scanner' } },
  token: { operation: 'issueToken' },
  maintenance: { operation: 'startMaintenance' },
  assets: { operation: 'deleteAsset', id: '{{assetId}}' },
  'asset-exposure': { operation: 'getAssetExposure', id: '{{assetId}}' },
  'application-assets': { operation: 'listAssetMappings', id: '{{applicationId}}' },
  'application-rules': { operation: 'listAssetRules', id: '{{applicationId}}' },
  'application-risk': { operation: 'getRiskSummary', id: '{{applicationId}}' },
};

/** Fields of bodies and messages whose values differ from system to system. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  organizationId: '{{organizationId}}',
  linkToken: '{{linkToken}}',
  client_id: '{{clientId}}',
  client_secret: '{{clientSecret}}',
};

const isList = ({ method, path }: Route): boolean => method === 'GET' && !path.includes('{');

/** A list if the area has one; an operation that a customer's administrator may call, if the area has one. */
function sampleRoute({ name, routes }: Area): Route {
  const all = Object.values(routes);
  const administrator = { id: '', name: '', organizationId: '', kind: 'user', role: 'admin' } as const;
  const own = all.filter(({ access }) => isAllowed(administrator, access));
  const chosen = routes[CHOSEN[name]?.operation ?? ''] ?? own.find(isList) ?? own[0] ?? all[0];
  if (!chosen) throw new Error(`the area ${name} has no operation`);
  return chosen;
}

const GATEWAY = {
  accountId: '000000000000',
  apiId: 'sample',
  domainName: 'localhost',
  domainPrefix: 'localhost',
  requestId: '6f1c0d2e-8a55-4b57-9d0e-3f1f0a4c7b21',
  routeKey: '$default',
  stage: '$default',
  time: '15/Jan/2026:09:30:00 +0000',
  timeEpoch: TIME_MS,
};

function requestOf(area: Area): object {
  const route = sampleRoute(area);
  const { method, access, query } = route;
  const chosen = CHOSEN[area.name];
  const path = route.path.replaceAll(/\{\w+\}/g, chosen?.id ?? ID);
  const example: Record<string, unknown> = Object(query && exampleOf(query));
  const values = Object.entries(example).map(([name, value]): [string, string] => [name, String(value)]);
  const parameters = new URLSearchParams(values);
  const body = bodyOf(route, chosen?.body);
  const authorization = credentialFor(access);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: parameters.toString(),
    headers: {
      accept: 'application/json',
      'user-agent': 'sample',
      ...(authorization && { authorization: `Bearer {{${authorization}}}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(parameters.size > 0 && { queryStringParameters: Object.fromEntries(parameters) }),
    requestContext: {
      ...GATEWAY,
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.10', userAgent: 'sample' },
    },
    ...(body && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

/** The example of a body. A caller without a credential proves who it is in the body. */
function bodyOf({ body, access }: Route, more: object = {}): object | undefined {
  if (!body) return undefined;
  const fields = 'shape' in body && access === 'public' ? Object.keys(Object(body.shape)) : [];
  return { ...Object(exampleOf(body)), ...placeholders(fields), ...more };
}

const placeholders = (fields: readonly string[]) =>
  Object.fromEntries(fields.flatMap((field) => (field in PLACEHOLDERS ? [[field, PLACEHOLDERS[field]]] : [])));

/** The placeholder of a credential that a route lets in. The API key of a new system has every API scope. */
function credentialFor(access: Access): string | undefined {
  if (access === 'public') return undefined;
  if (access === 'authenticated') return 'accessToken';
  if (access.scope) return 'apiKey';
  return access.role || access.staff ? 'accessToken' : `${access.machines?.[0]}Token`;
}

/** A message as SQS delivers it to a worker. */
function deliveryOf(job: Job): object {
  const example = Object(exampleOf(job.message));
  const message = { ...example, ...placeholders(Object.keys(example)) };
  return {
    Records: [
      {
        messageId: '19dd0b57-b21e-4ac1-bd88-01bbb068cb78',
        receiptHandle: 'sample',
        body: JSON.stringify(message),
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: String(TIME_MS),
          SenderId: 'AIDAEXAMPLE',
          ApproximateFirstReceiveTimestamp: String(TIME_MS + 1),
          MessageGroupId: 'sample',
          MessageDeduplicationId: ID,
          SequenceNumber: '18849496460467696128',
        },
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: `arn:aws:sqs:eu-central-1:000000000000:${queueName(job)}`,
        awsRegion: 'eu-central-1',
      },
    ],
  };
}

/** The call of a schedule of EventBridge. */
const scheduledEvent = {
  version: '0',
  id: '89d1a02d-5ec7-412e-82f5-13505f849b41',
  'detail-type': 'Scheduled Event',
  source: 'aws.scheduler',
  account: '000000000000',
  time: new Date(TIME_MS).toISOString(),
  region: 'eu-central-1',
  resources: [],
  detail: {},
};
