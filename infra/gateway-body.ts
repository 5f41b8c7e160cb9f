import { type GatewayRoute, UNKNOWN_PATHS } from './gateway-routes.ts';

type Gateway = {
  title: string;
  routes: readonly GatewayRoute[];
  /** The integration of an area. */
  integrationOf: (area: string) => { uri: unknown; timeoutMillis: number };
  /** The origins from which browsers may call the API. */
  origins: readonly string[];
  /** Whether the API answers at API Gateway's own address. */
  ownAddress: boolean;
};

/**
 * The OpenAPI body that API Gateway imports. Imported routes and integrations do not count towards the 500 resources of a
 * CloudFormation stack. Each route holds its integration, because `sam local` follows no references: API Gateway takes 300 of them.
 */
export function gatewayBody({ title, routes, integrationOf, origins, ownAddress }: Gateway) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, area } of routes) {
    paths[path] ??= pathItem(path);
    const { uri, timeoutMillis } = integrationOf(area);
    paths[path][verbOf(method)] = {
      responses: {},
      ...(path === UNKNOWN_PATHS && { isDefaultRoute: true }),
      'x-amazon-apigateway-integration': {
        type: 'aws_proxy',
        httpMethod: 'POST',
        payloadFormatVersion: '2.0',
        uri,
        timeoutInMillis: timeoutMillis,
      },
    };
  }
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    ...(!ownAddress && { servers: [OFF] }),
    ...(origins.length > 0 && { 'x-amazon-apigateway-cors': { ...BROWSER_CALLS, allowOrigins: origins } }),
    paths,
  };
}

/** A route for GET takes HEAD too, and each method that the path does not answer: the function says which it answers. */
const verbOf = (method: string): string =>
  method === 'ANY' || method === 'GET' ? 'x-amazon-apigateway-any-method' : method.toLowerCase();

/** An import sets the API's properties again, so the body has the property too. */
const OFF = { url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } };

/** API Gateway answers preflight requests itself. Credentials are tokens in a header, never cookies. */
const BROWSER_CALLS = {
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['authorization', 'content-type', 'content-encoding', 'idempotency-key', 'if-match'],
  exposeHeaders: ['retry-after'],
  maxAge: 3600,
};

/** OpenAPI requires a declaration of every path parameter. */
function pathItem(path: string): Record<string, unknown> {
  const names = [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name]) => name);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) };
}
