import { beforeAll, describe, expect, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { apiDocument } from '#infra/openapi/document.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { allowed, callersOf, type NamedRoute, paramNames, routes, type TestCaller } from '../support/every-route.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const document = apiDocument(areas);
let callers: TestCaller[] = [];
beforeAll(async () => {
  callers = await callersOf(await system.newOrganization());
});

/** The example that the reference shows for a body. */
function exampleOf({ method, path }: NamedRoute): unknown {
  const operation = Object(document.paths?.[path])[method.toLowerCase()];
  return Object(operation).requestBody.content['application/json'].example;
}

/** An example names records and credentials that do not exist here. */
const UNKNOWN_HERE = ['not_found', 'conflict', 'invalid_grant'];

describe('a reader who sends the example of an operation', () => {
  test.each(routes.filter(({ body }) => body))('$method $path is not told that it is wrong', async (route) => {
    const params = Object.fromEntries(paramNames(route).map((name) => [name, newId()]));
    const client = route.access === 'public' ? system.client() : allowed(callers, route)?.client;
    const answer = await client?.send(route.method, route.path, { params, body: exampleOf(route) });
    const isPublic = route.access === 'public';
    const outcome: unknown = answer?.status === 400 ? Object(answer.body).code : answer?.status;
    expect([200, ...UNKNOWN_HERE, ...(isPublic ? [401] : [])], JSON.stringify(answer?.body)).toContain(outcome);
  });
});
