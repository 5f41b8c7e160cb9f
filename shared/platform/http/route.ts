import type * as z from 'zod';
import type { Access, Caller, Use } from '../auth/permissions.ts';
import type { Cause } from '../table/actor.ts';
import type { Context } from '../table/context.ts';
import type { FileBody } from './file-body.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** An operation of the interface. Gateway, router, checks, API reference and tests derive from it. */
export type Route = {
  method: Method;
  /** With `{name}` for path parameters. */
  path: string;
  /** The name of the operation in the interface, if the interface names it. */
  operation?: string;
  summary: string;
  /** Markdown for the API reference: facts that the types cannot express. */
  description?: string;
  access: Access;
  /**
   * How the operation serves a caller whose role is for a part of the organization. `seen`: it answers and changes only the records that
   * the caller sees; `same`: it has nothing of an asset. Without it such a caller is refused.
   */
  inPart?: 'seen' | 'same';
  /**
   * The operation cannot be undone, nor the record made again: an organization may demand a second person (shared/people/second-person.ts).
   * `sometimes`: the body or the record decides.
   */
  irreversible?: true | 'sometimes';
  /** Why the operation is closed to such a caller, where that will stay so: a clause of the refusal. */
  closedToPart?: string;
  /** A POST that changes no record: an auditor may call it, as every GET. */
  readOnly?: true;
  query?: z.ZodObject;
  /** Parameters that callers expect here, each with what to send instead. */
  instead?: Readonly<Record<string, string>>;
  body?: z.ZodType;
  /** Fields of the body's example that this operation needs and its record leaves optional. */
  example?: object;
  /** Fields that this operation requires of a record whose other operations leave them out; the handler refuses their absence. */
  needs?: readonly string[];
  response: z.ZodType | RawResponse;
  /** The operation follows another standard, with its media type, statuses and error record (scim.ts). Only outside of `/api/v1`. */
  dialect?: 'scim';
  /** The status of an answer without an error, where the standard of the dialect has another than 200. */
  status?: 200 | 201 | 204;
  /** Unknown body fields, which machines of another release send, are ignored and logged instead of refused. */
  lenient?: boolean;
  /** Machines repeat the request while they wait for work: an answer without work is not logged. */
  poll?: boolean;
  /** The body may be form encoded (RFC 6749, section 4). */
  form?: boolean;
  /**
   * The body may also be a plain file of any media type except application/json: it becomes `content` and `encoding` of
   * the body. The body's other fields are then in the query.
   */
  file?: FileBody;
  /**
   * The most bytes of the body, where it is a report, a batch or an event and may be larger than on other routes
   * (body-size.ts).
   */
  maxBody?: number;
  /** A sender without a credential signs the body. The handler checks the bytes (`request.bytes`) and parses them (`body()`) once they are proven. */
  signed?: true;
  /** Anyone may call the operation, but not without end: it answers 429 above its windows (shared/platform/quotas/windows.ts). */
  limited?: true;
  /** The answer shows a secret once; an Idempotency-Key cannot repeat such an answer. */
  answersSecret?: boolean;
};

/** An answer that is a text already; `schema` is of its parsed form, if it is JSON. */
type RawResponse = { contentType: string; schema?: z.ZodType };
export type RawAnswer = { contentType: string; body: string; base64?: boolean; headers?: Record<string, string> };

export type Routes = Record<string, Route>;

const declaredAs =
  <const M extends Method>(method: M) =>
  <const P extends string, const R extends Omit<Route, 'method' | 'path'>>(path: P, route: R) => ({
    method,
    path,
    ...route,
  });

/** An operation of this method and path. */
export const get = declaredAs('GET');
export const post = declaredAs('POST');
export const patch = declaredAs('PATCH');
export const put = declaredAs('PUT');
export const remove = declaredAs('DELETE');

/** Whether an operation only reads. */
export const useOf = ({ method, readOnly }: Pick<Route, 'method' | 'readOnly'>): Use =>
  method === 'GET' || readOnly ? 'read' : 'change';

/** Checks the routes and keeps their exact types. */
export const defineRoutes = <const R extends Routes>(routes: R): R => routes;

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;

type BodyOf<R extends Route> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined;

/** A call of a handler. `table` is bound to the caller's organization; every change names the caller as its actor. */
export type Call<R extends Route> = Context & {
  params: Record<ParamNames<R['path']>, string>;
  query: R['query'] extends z.ZodType ? z.output<R['query']> : Record<string, never>;
  body: R['signed'] extends true ? () => BodyOf<R> : BodyOf<R>;
  caller: Caller;
  /** For changes by a public route; `table` has it already. */
  cause: Cause;
  /** The `If-Match` header: the version that the caller read. */
  ifMatch: string | undefined;
  request: {
    id: string;
    method: string;
    path: string;
    ip: string;
    headers: Record<string, string | undefined>;
    /** `name=value` of each cookie. */
    cookies: readonly string[];
    bytes: Uint8Array;
  };
  /** `Set-Cookie` values that the handler adds to the answer. */
  setCookies: string[];
};

/** The call of a public route, which has no caller and no organization. */
export type PublicCall<R extends Route> = Omit<Call<R>, 'caller' | 'table'>;

type Answer<R extends Route> = R['response'] extends z.ZodType ? z.input<R['response']> : RawAnswer;

type Handler<R extends Route> = (
  call: R['access'] extends 'public' ? PublicCall<R> : Call<R>,
) => Promise<Answer<R>> | Answer<R>;

/** One handler per route; the compiler refuses a missing handler. */
export type Handlers<R extends Routes> = { [K in keyof R]: Handler<R[K]> };
