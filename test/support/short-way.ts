import { Agent, type IncomingMessage, request } from 'node:http';
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

/** The engine reads the credential of a request, which names the region of the tables, and looks at no signature. */
const HEADERS = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

const OPERATIONS = new Map<unknown, string>([
  [GetItemCommand, 'GetItem'],
  [BatchGetItemCommand, 'BatchGetItem'],
  [QueryCommand, 'Query'],
  [PutItemCommand, 'PutItem'],
  [UpdateItemCommand, 'UpdateItem'],
  [DeleteItemCommand, 'DeleteItem'],
  [TransactWriteItemsCommand, 'TransactWriteItems'],
]);

const agent = new Agent({ keepAlive: true, maxSockets: 50 });

type Next = (args: { input: object }) => Promise<{ output: object; response: undefined }>;
type Around = (next: Next, context: { commandName: string }) => Next;
type Command = { input: object; clientCommand?: object; constructor: new (input: object) => Command };

/**
 * Requests to the local engine without signatures, and the frequent ones without the SDK, whose pipeline takes two
 * thirds of a request's processor time. The SDK asks again whatever the engine refuses, so that errors are the SDK's
 * own. Middleware of the first step, with which tests make faults, is around
 * both ways; a client with other middleware takes the SDK's way.
 */
export function withShortWay<D extends Dynamo>(dynamo: D): D {
  const { client } = dynamo;
  client.config.signer = async () => ({
    async sign(request) {
      Object.assign(request.headers, HEADERS);
      return request;
    },
  });
  const send = client.send.bind(client) as unknown as (command: Command, ...more: []) => Promise<object>;
  const { around, isChanged } = firstSteps(client.middlewareStack);
  const short = async (command: Command, ...more: []) => {
    const operation = more.length > 0 || isChanged() ? undefined : OPERATIONS.get(command.constructor);
    const once: Next = async ({ input }) => {
      const answer = operation && (await asked(await addressOf(dynamo), operation, input));
      const same = input === command.input ? command : new command.constructor(input);
      return { output: answer || (await send(same, ...more)), response: undefined };
    };
    const commandName = (command.clientCommand ?? command).constructor.name;
    return (await around(once, { commandName })({ input: command.input })).output;
  };
  return Object.assign(dynamo, { client: Object.assign(client, { send: short }) });
}

type Options = { step?: string; name?: string; priority?: 'high' | 'normal' | 'low' };
const PRIORITIES = ['high', 'normal', 'low'];

/** Keeps middleware of the first step out of the SDK's stack, and notices each other change of the stack. */
function firstSteps(stack: Dynamo['client']['middlewareStack']) {
  let first: { apply: Around; options: Options }[] = [];
  let isChanged = false;
  const { add, remove } = stack;
  const addFirst = (apply: never, options: Options = {}) => {
    const { step = 'initialize', priority = 'normal' } = options;
    isChanged ||= step !== 'initialize';
    if (step !== 'initialize') return add(apply, options as never);
    first.push({ apply, options: { ...options, priority } });
    first.sort((a, b) => PRIORITIES.indexOf(`${a.options.priority}`) - PRIORITIES.indexOf(`${b.options.priority}`));
  };
  const removeFirst = (name: string) => {
    const left = first.filter(({ options }) => options.name !== name);
    if (left.length === first.length) return remove(name);
    first = left;
    return true;
  };
  Object.assign(stack, { add: addFirst, remove: removeFirst });
  const around: Around = (once, context) => first.reduceRight((next, { apply }) => apply(next, context), once);
  return { around, isChanged: () => isChanged };
}

type Address = { hostname: string; port?: number };

async function addressOf({ client }: Dynamo): Promise<Address> {
  return (await client.config.endpoint?.()) ?? { hostname: '127.0.0.1' };
}

/** The answer of the engine, or undefined if it refused or was not there. */
async function asked({ hostname, port }: Address, operation: string, input: object): Promise<object | undefined> {
  const body = Buffer.from(JSON.stringify(input, bytesAsText));
  const headers = {
    ...HEADERS,
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | undefined>();
  const asking = request({ hostname, port, method: 'POST', headers, agent }, resolve);
  asking.on('error', () => resolve(undefined));
  asking.end(body);
  const answer = await promise;
  const text = answer && (await textOf(answer));
  if (answer?.statusCode !== 200 || text === undefined) return undefined;
  const output = JSON.parse(text);
  readBytes(output);
  return { ...output, $metadata: { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 } };
}

function textOf(answer: IncomingMessage): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const parts: Buffer[] = [];
  answer.on('data', (part) => parts.push(part));
  answer.on('error', () => resolve(undefined));
  answer.on('end', () => resolve(Buffer.concat(parts).toString()));
  return promise;
}

/** JSON has bytes as base64. A buffer was already replaced by its own form for JSON. */
function bytesAsText(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name];
  return given instanceof Uint8Array
    ? Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('base64')
    : value;
}

/** Bytes and sets of bytes are texts in JSON. An attribute with the name of a kind is an object. */
function readBytes(all: Record<string, unknown>): void {
  for (const name of Object.keys(all)) {
    const value = all[name];
    if (name === 'B' && typeof value === 'string') all[name] = bytesOf(value);
    else if (name === 'BS' && Array.isArray(value)) all[name] = value.map(bytesOf);
    else if (typeof value === 'object' && value !== null) readBytes(value as Record<string, unknown>);
  }
}

function bytesOf(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}
