import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The holdings of the control planes of AWS, because no emulator here has them: workers, schedules, backups of tables, versions of objects. */
export type Control = {
  mappings: { UUID: string; State: string; FunctionArn: string; EventSourceArn: string }[];
  schedules: { Name: string; State: string; ScheduleExpression: string }[];
  /** Answers to DynamoDB's control plane, by action; the others go to the engine. */
  dynamo: Record<string, (input: Record<string, unknown>) => object | Promise<object>>;
  /** XML of `?versions`, and the changes that were asked for. */
  versions: string;
  changes: string[];
  /** Objects that were put, by their paths. */
  objects?: Map<string, Buffer>;
};

/** Speaks the protocols of Lambda, EventBridge Scheduler, S3's versions and DynamoDB's control plane before an engine. */
export async function startControl(control: Control, engine: string): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const { status = 200, type = 'application/json', text } = await answer(control, engine, request);
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

type Answer = { status?: number; type?: string; text: string };
const json = (value: object): Answer => ({ text: JSON.stringify(value) });

async function answer(control: Control, engine: string, request: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString();
  if (request.method === 'PUT' && parts.length > 0) control.objects?.set(request.url ?? '', Buffer.concat(parts));
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const name = decodeURIComponent(path.split('/').at(-1) ?? '');
  if (path.includes('/event-source-mappings')) return mappings(control, request, { name, body });
  if (path.startsWith('/schedules')) return schedules(control, request, { name, body });
  if (request.headers['x-amz-target']) return dynamo(control, engine, { request, body });
  if (query.includes('versions')) return { type: 'application/xml', text: control.versions };
  const copied = request.headers['x-amz-copy-source'];
  control.changes.push(
    `${request.method} ${path}${copied ? ` from ${copied}` : `?${query.replace(/&?x-id=\w+/, '')}`}`,
  );
  const text = copied
    ? '<CopyObjectResult><ETag>"x"</ETag><ChecksumSHA256>eA==</ChecksumSHA256></CopyObjectResult>'
    : '';
  return { status: copied ? 200 : 204, type: 'application/xml', text };
}

type Asked = { name: string; body: string };

function mappings({ mappings: all }: Control, { method }: IncomingMessage, { name, body }: Asked): Answer {
  const one = all.find(({ UUID }) => UUID === name);
  if (method === 'GET' || !one) return json({ EventSourceMappings: all });
  one.State = JSON.parse(body).Enabled ? 'Enabled' : 'Disabled';
  return json(one);
}

function schedules({ schedules: all }: Control, { method }: IncomingMessage, { name, body }: Asked): Answer {
  const one = all.find(({ Name }) => Name === name);
  if (!one) return json({ Schedules: all });
  if (method === 'GET')
    return json({ ...one, FlexibleTimeWindow: { Mode: 'OFF' }, Target: { Arn: 'a', RoleArn: 'r' } });
  Object.assign(one, JSON.parse(body));
  return json({ ScheduleArn: 'arn' });
}

type ForDynamo = { request: IncomingMessage; body: string };

async function dynamo(control: Control, engine: string, { request, body }: ForDynamo): Promise<Answer> {
  const target = String(request.headers['x-amz-target']);
  const own = control.dynamo[target.split('.')[1] ?? ''];
  if (own) return json(await own(JSON.parse(body)));
  const signed = Object.entries(request.headers).filter(([name]) =>
    /^(x-amz-|amz-|authorization|content-type)/.test(name),
  );
  const headers = Object.fromEntries(signed.map(([name, value]) => [name, String(value)]));
  const passed = await fetch(engine, { method: 'POST', headers, body });
  return { status: passed.status, type: 'application/x-amz-json-1.0', text: await passed.text() };
}
