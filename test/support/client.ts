import type * as z from 'zod';
import type { DeclaredRoutes } from '#functions/contract.ts';
import type { Route } from '#shared/platform/http/route.ts';
import type { ErrorCode } from '#shared/platform/runtime/errors.ts';
import { addressesOfOperations } from './addresses.ts';

type Intersect<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;
type Operations = Intersect<DeclaredRoutes>;
export type OperationName = keyof Operations & string;

type RouteOf<N extends OperationName> = Operations[N] extends Route ? Operations[N] : never;
type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;

export type RequestOf<N extends OperationName> = {
  params?: Record<ParamNames<RouteOf<N>['path']>, string>;
  query?: RouteOf<N> extends { query: z.ZodType } ? z.input<RouteOf<N>['query']> : never;
  body?: RouteOf<N> extends { body: z.ZodType } ? z.input<RouteOf<N>['body']> : never;
  headers?: Record<string, string>;
};
export type AnswerOf<N extends OperationName> =
  RouteOf<N> extends { response: z.ZodType } ? z.output<RouteOf<N>['response']> : string;

type ErrorBody = {
  code: ErrorCode;
  message: string;
  details?: { path: string; message: string }[];
  current?: Record<string, unknown>;
  requestId: string;
};
type Refused = { status: 400 | 401 | 429 | 500; body: ErrorBody; headers: Headers };
type Answered<N extends OperationName> = { status: 200; body: AnswerOf<N>; headers: Headers } | Refused;

type Raw = { query?: object; body?: unknown; headers?: Record<string, string>; params?: Record<string, string> };
export type RawAnswer = { status: number; body: unknown; headers: Headers };

/** The credential of a client; it is asked for another one when the one that it gave was ended. */
export type ClientCredential = (ended?: boolean) => Promise<string> | string;

/** Calls operations by name, typed by their routes. `credential` is asked for at each call. */
export type Client = {
  /** Whatever the service answers. */
  call<N extends OperationName>(name: N, request?: RequestOf<N>): Promise<Answered<N>>;
  /** The body of the answer. @throws when the status is not 200 */
  ok<N extends OperationName>(name: N, request?: RequestOf<N>): Promise<AnswerOf<N>>;
  /** A request that no route describes. Texts and bytes are sent as they are. */
  send(method: string, path: string, request?: Raw): Promise<RawAnswer>;
};

export function makeClient(baseUrl: string, credential?: ClientCredential): Client {
  const send: Client['send'] = async (method, path, request) => {
    const answer = await sendWith(method, path, { ...request, credential: await credential?.() });
    if (answer.status !== 401 || !/has ended/.test(Object(answer.body).message)) return answer;
    return sendWith(method, path, { ...request, credential: await credential?.(true) });
  };
  type Credited = Raw & { credential?: string };
  const sendWith = async (method: string, path: string, { query, body, headers, params, credential }: Credited) => {
    const url = new URL(fill(path, params), baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const authorization = credential && { authorization: `Bearer ${credential}` };
    const answer = await fetch(url, {
      method,
      headers: { ...authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    return { status: answer.status, body: await read(answer), headers: answer.headers };
  };
  const call = async <N extends OperationName>(name: N, request: RequestOf<N> = {}) => {
    const route = (await addressesOfOperations())[name];
    if (!route) throw new Error(`no operation ${name}`);
    return (await send(route.method, route.path, request)) as Answered<N>;
  };
  return {
    send,
    call,
    async ok(name, request) {
      const { status, body } = await call(name, request);
      if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}

const fill = (path: string, params: Record<string, string> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `missing-${name}`));

async function read(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return answer.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : text;
}
