import { createHmac, randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Area } from '#functions/area.ts';
import type { Access } from '#shared/platform/auth/permissions.ts';
import type { Route } from '#shared/platform/http/route.ts';

/** A credential for each kind of access. */
export type Credentials = {
  apiKey: string;
  adminToken: string;
  staffToken: string;
  scannerToken: string;
  apexToken: string;
  integratorToken: string;
  clientId: string;
  clientSecret: string;
  /** Signs the events of the code host's integration. */
  webhookSecret: string;
};

export type FirstRequest = { operation: string; event: APIGatewayProxyEventV2 };

/** The account of the integration whose events are signed with `webhookSecret`. */
export const HUB_ACCOUNT = 'octo-shop';

/** The request that measures an area: it reads a list or record of the area with the least credential for the route. */
export function firstRequest(area: Area, credentials: Credentials): FirstRequest {
  const routes = Object.entries(area.routes).map(([name, route]) => ({ name, route }));
  const token = routes.find(({ route }) => route.path === '/api/v1/oauth/token');
  if (token) return tokenRequest(token, credentials);
  const hub = routes.find(({ route }) => route.path === '/api/v1/webhooks/codehost_a');
  if (hub) return eventOfHub(hub, credentials);
  const [best] = routes.sort((a, b) => effort(a.route) - effort(b.route));
  if (!best) throw new Error(`${area.name} has no routes`);
  const path = best.route.path.replaceAll(/\{[^}]+\}/g, () => randomUUID());
  const bearer = credentialFor(best.route.access, credentials);
  return { operation: best.name, event: event(best.route, path, { bearer, body: bodyFor(best.route) }) };
}

/** The poll of an idle scanner. Other writes lack fields and are refused, so that runs leave no data. */
function bodyFor({ body, poll }: Route): string | undefined {
  if (poll) return JSON.stringify({ capacity: 1 });
  return body && '{}';
}

/** Prefers reads to writes, lists to records, and requests with a credential to those without. */
function effort({ method, path, query, access }: Route): number {
  const refused = query !== undefined && !query.safeParse({}).success;
  return (access === 'public' ? 8 : 0) + (method === 'GET' ? 0 : 4) + (refused ? 2 : 0) + (path.includes('{') ? 1 : 0);
}

function credentialFor(access: Access, credentials: Credentials): string | undefined {
  if (access === 'public') return undefined;
  if (access === 'authenticated' || access.scope) return credentials.apiKey;
  if (access.role) return credentials.adminToken;
  if (access.staff) return credentials.staffToken;
  if (access.machines?.includes('integrator')) return credentials.integratorToken;
  return access.machines?.includes('apex') ? credentials.apexToken : credentials.scannerToken;
}

function tokenRequest({ name, route }: { name: string; route: Route }, credentials: Credentials): FirstRequest {
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  const body = JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret });
  return { operation: name, event: event(route, route.path, { body }) };
}

/** A ping as GitHub signs it. Its id never changes, so that only the first ping of all runs is kept. */
function eventOfHub({ name, route }: { name: string; route: Route }, { webhookSecret }: Credentials): FirstRequest {
  const account = { login: HUB_ACCOUNT };
  const body = JSON.stringify({ zen: 'Keep it simple.', hook_id: 1, organization: account });
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
  const headers = {
    'x-github-event': 'ping',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${signature}`,
  };
  return { operation: name, event: event(route, route.path, { body, headers }) };
}

function event(
  route: Route,
  path: string,
  { bearer, body, headers: more }: { bearer?: string; body?: string; headers?: Record<string, string> },
): APIGatewayProxyEventV2 {
  const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }), ...more };
  const http = { method: route.method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'bench' };
  const time = new Date();
  return {
    version: '2.0',
    routeKey: `${route.method} ${route.path}`,
    rawPath: path,
    rawQueryString: '',
    headers,
    requestContext: {
      accountId: '000000000000',
      apiId: 'bench',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http,
      requestId: randomUUID(),
      routeKey: `${route.method} ${route.path}`,
      stage: '$default',
      time: time.toISOString(),
      timeEpoch: time.getTime(),
    },
    ...(body && { body }),
    isBase64Encoded: false,
  };
}
