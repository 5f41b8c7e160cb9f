import type * as z from 'zod';
import type { Access, Caller } from '../auth/permissions.ts';
import type { Connections } from '../runtime/connections.ts';
import type { Table } from '../table/table.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One operation of the interface, declared once. Everything that needs to know a route derives it from here. */
export type Route = {
  method: Method;
  /** With `{name}` for path parameters. */
  path: string;
  /** The interface's own name of the operation, where it gives one. */
  operation?: string;
  summary: string;
  /** Markdown for the API reference: what the types cannot say. */
  description?: string;
  access: Access;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType | RawResponse;
  /** Unknown body fields are ignored and counted (machines of another release), not refused. */
  lenient?: boolean;
  /** Machines repeat it while there is nothing to do: an answer without work is not access-logged. */
  poll?: boolean;
  /** The body may be form encoded (RFC 6749, section 4). */
  form?: boolean;
  /** The answer holds a secret that is shown once: an Idempotency-Key cannot repeat it. */
  answersSecret?: boolean;
};

/** An answer that is not JSON. */
type RawResponse = { contentType: string };
export type RawAnswer = { contentType: string; body: string; base64?: boolean; headers?: Record<string, string> };

export type Routes = Record<string, Route>;

/** Checks the routes as they are written, and keeps their exact types. */
export const defineRoutes = <const R extends Routes>(routes: R): R => routes;

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;

export type Call<R extends Route> = {
  params: Record<ParamNames<R['path']>, string>;
  query: R['query'] extends z.ZodType ? z.output<R['query']> : Record<string, never>;
  body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
  /** Bound to the caller's organization and to the caller as the actor of every change. */
  table: Table;
  caller: Caller;
  connections: Connections;
  /** The `If-Match` header: the version that the caller read. */
  ifMatch: string | undefined;
  request: { id: string; ip: string; headers: Record<string, string | undefined> };
};

/** A route that is public has no caller and no organization. */
export type PublicCall<R extends Route> = Omit<Call<R>, 'caller' | 'table'>;

type Answer<R extends Route> = R['response'] extends z.ZodType ? z.input<R['response']> : RawAnswer;

type Handler<R extends Route> = (
  call: R['access'] extends 'public' ? PublicCall<R> : Call<R>,
) => Promise<Answer<R>> | Answer<R>;

/** One handler per route; the compiler refuses a missing one. */
export type Handlers<R extends Routes> = { [K in keyof R]: Handler<R[K]> };
