import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type Area, unknownPathsArea } from '#functions/area.ts';
import type { AreaHandler } from '#shared/platform/http/area.ts';
import { makeRouter } from '#shared/platform/http/router.ts';
import type { Pages } from './console.ts';
import { lambdaContext } from './lambda-context.ts';

export type GatewayServer = {
  baseUrl: string;
  serve(areas: readonly Area[], pages?: Pages): void;
  stop(): Promise<void>;
};

type Incoming = { message: IncomingMessage; body: Buffer; url: URL };
type Dispatch = (incoming: Incoming) => Promise<APIGatewayProxyStructuredResultV2>;

/** The limit of API Gateway. The service's own limit is lower and has its own error. */
const maxBytes = 10 * 1024 * 1024;
/** The most that API Gateway takes for the request line and the headers together. */
const maxHeaderSize = 10_240;
const functionTimeoutSeconds = 29;

/** Replaces API Gateway: turns an HTTP request into the event for an area's function. */
export async function startGateway(port: number): Promise<GatewayServer> {
  let dispatch: Dispatch = async () => gatewayAnswer(503, 'Service Unavailable');
  const server = createServer(
    { maxHeaderSize },
    (message, response) => void answer(message, response, (incoming) => dispatch(incoming)),
  );
  server.on('clientError', refuse);
  // a busy machine comes back to a connection late; closed after the usual 5 s, it would fail under the next request
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${actual}`,
    serve(areas, pages) {
      dispatch = dispatcher(areas, pages);
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** Loads a function at its first request, as Lambda does. */
function dispatcher(areas: readonly Area[], pages?: Pages): Dispatch {
  const functions = areas.map(({ name, routes, load }) => {
    let loaded: Promise<{ handler: AreaHandler }> | undefined;
    const handler = () => {
      loaded ??= load();
      return loaded;
    };
    return { name, routes, handler };
  });
  const byRoute = new Map(functions.flatMap((one) => Object.values(one.routes).map((route) => [route, one] as const)));
  // of all areas together: `/apex/tasks` of one wins over `/apex/{id}` of another, as in API Gateway
  const find = makeRouter(Object.assign({}, ...areas.map(({ routes }) => routes)));
  return async (incoming) => {
    const { message, url } = incoming;
    // a route for GET takes all methods that its path does not answer
    const match = find(message.method ?? '', url.pathname) ?? find('GET', url.pathname);
    const page = match ? undefined : pages?.(pageAsked(incoming));
    if (page) return page;
    if (url.pathname === '/') return { statusCode: 302, headers: { location: '/docs' } };
    const area = match ? byRoute.get(match.route) : unknownPathsArea(functions);
    if (!area) return gatewayAnswer(404, 'Not Found');
    const { handler } = await area.handler();
    return handler(gatewayEvent(incoming), lambdaContext(area.name, functionTimeoutSeconds));
  };
}

const pageAsked = ({ message: { method = '', headers }, url }: Incoming) => ({
  method,
  path: url.pathname,
  accept: headers.accept ?? '',
});

async function answer(message: IncomingMessage, response: ServerResponse, dispatch: Dispatch): Promise<void> {
  try {
    const body = await readBody(message);
    const url = new URL(message.url ?? '/', 'http://localhost');
    const result =
      body === undefined ? gatewayAnswer(413, 'Request Entity Too Large') : await dispatch({ message, body, url });
    const cookies = result.cookies && { 'set-cookie': result.cookies };
    response.writeHead(result.statusCode ?? 200, { ...(result.headers as Record<string, string>), ...cookies });
    response.end(result.isBase64Encoded ? Buffer.from(result.body ?? '', 'base64') : result.body);
  } catch (error) {
    if (message.destroyed && !message.complete) return; // the caller cut the connection before the end of the request
    console.error(error);
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"Internal Server Error"}');
  }
}

/** Answers unreadable requests as API Gateway does, and ends the connection. */
function refuse({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const isTooLong = code === 'HPE_HEADER_OVERFLOW';
  const [status, message] = isTooLong ? [431, 'Request Header Fields Too Large'] : [400, 'Bad Request'];
  const body = JSON.stringify({ message });
  const headers = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status} ${message}\r\n${headers}\r\n\r\n${body}`);
}

/** @returns undefined for a body over the limit of the gateway; the rest of the body is read and dropped */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

const queryOf = ({ searchParams }: URL): Record<string, string> =>
  Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name).join(',')]));

function gatewayEvent({ message, body, url }: Incoming): APIGatewayProxyEventV2 {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
  const time = new Date();
  const method = message.method ?? 'GET';
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers,
    ...(headers.cookie && { cookies: headers.cookie.split('; ') }),
    ...(url.search.length > 1 && { queryStringParameters: queryOf(url) }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method,
        path: url.pathname,
        protocol: `HTTP/${message.httpVersion}`,
        sourceIp: message.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: time.toISOString(),
      timeEpoch: time.getTime(),
    },
    ...bodyOf(body),
  };
}

/** API Gateway passes bytes that are no text on as base64. */
function bodyOf(bytes: Buffer): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const isText = isUtf8(bytes);
  return { body: bytes.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

const gatewayAnswer = (statusCode: number, message: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});
