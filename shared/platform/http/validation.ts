import type { MiddlewareObj } from '@middy/core';
import * as z from 'zod';
import { invalid } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import { shortened } from '../runtime/texts.ts';
import type { Incoming, Result } from './incoming.ts';
import type { Route } from './route.ts';
import { check, checkWhole, strictest } from './validate.ts';

/** The step that checks the query parameters. Where the body may be a file, they have the body's other fields. */
export const queryValidation: MiddlewareObj<Incoming, Result> = {
  before({ event }) {
    const { route } = event.match;
    event.query = checkQuery({ ...route, query: route.file?.query ?? route.query }, event.queryStringParameters ?? {});
  },
};

/** The step that checks the body. The handler of a signed route checks the body itself. */
export const bodyValidation: MiddlewareObj<Incoming, Result> = {
  before({ event }) {
    const { readBody, value, match } = event;
    event.value = readBody ? () => checkBody(match.route, readBody()) : checkBody(match.route, value);
  },
};

/** Refuses unknown parameters; public pages and machines of another release may send some. */
function checkQuery({ query, instead = {}, access, lenient, dialect }: Route, parameters: object): unknown {
  for (const name in parameters) if (Object.hasOwn(instead, name)) throw invalid(name, instead[name] ?? '');
  // identity providers add parameters of their own to the address of SCIM
  if (query) return check(dialect ? query : strictest(query), parameters, 'query');
  return access === 'public' || lenient ? {} : check(nothing, parameters, 'query');
}

const nothing = z.strictObject({});

function checkBody(route: Route, value: unknown): unknown {
  if (!route.body) return checkNoBody(route, value);
  const given = value === undefined ? {} : value;
  if (!route.lenient) return checkWhole(route.body, given);
  logUnknownFields(route, given);
  return check(route.body, given, 'body');
}

/** A caller who sends `{engagementId}` to an operation that stops everything must not hear that all is well. */
function checkNoBody({ access, lenient }: Route, value: unknown): undefined {
  if (access !== 'public' && !lenient) check(nothing, value ?? {}, 'body');
}

const LOGGED_FIELDS = 20;
const LOGGED_NAME = 100;

/** Logs fields that only a newer release of a machine knows. */
function logUnknownFields({ body, path }: Route, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const known = new Set(body && 'shape' in body ? Object.keys(body.shape as object) : []);
  const unknown = Object.keys(value).filter((name) => !known.has(name));
  const fields = unknown.slice(0, LOGGED_FIELDS).map((name) => shortened(name, LOGGED_NAME));
  if (unknown.length > 0) log.info('unknown fields ignored', { path, fields, count: unknown.length });
}
