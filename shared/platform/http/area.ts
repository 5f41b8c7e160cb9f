import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { withinTime } from '../runtime/deadline.ts';
import { ApiError } from '../runtime/errors.ts';
import { shortened } from '../runtime/texts.ts';
import { accessLog } from './access-log.ts';
import { admission } from './admission.ts';
import { bodyParser } from './body.ts';
import { bodySize } from './body-size.ts';
import { errorAnswers } from './error-answers.ts';
import { front } from './front.ts';
import { idempotency } from './idempotency.ts';
import type { Arrived, Incoming, Result } from './incoming.ts';
import { type AnyHandler, respond } from './respond.ts';
import type { Handlers, Routes } from './route.ts';
import { makeRouter, methodsOf } from './router.ts';
import { bodyValidation, queryValidation } from './validation.ts';

export type AreaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Result>;

/**
 * The Lambda of an area: a chain of steps, each in a file of its name. It routes by method and path itself, so that the
 * gateway may have one route per operation or one per area. No step before the handler returns an answer of its own:
 * middy would then leave out the access log. The time limit encloses the chain, because all code inside reads it.
 */
export function areaHandler<const R extends Routes>(routes: R, handlers: Handlers<R>): AreaHandler {
  const find = makeRouter(routes);
  const answered = middy<Incoming, Result>()
    .use(accessLog)
    .use(errorAnswers)
    .use(front)
    .use(admission)
    .use(queryValidation)
    .use(bodySize)
    .use(bodyParser)
    .use(bodyValidation)
    .use(idempotency)
    // the compiler cannot know that the handler of a name takes the call of the route with this name
    .handler((event) => respond(handlers[event.match.name] as AnyHandler, event));
  const unanswered = middy<Arrived, Result>()
    .use(accessLog)
    .use(errorAnswers)
    .use(front)
    .handler((event) => {
      throw noRoute(routes, event);
    });
  return async (event, context) => {
    const { method } = event.requestContext.http;
    const match = find(method === 'HEAD' ? 'GET' : method, event.rawPath);
    const answer = await withinTime(context, () =>
      match ? answered({ ...event, match, sent: event.body ?? '' }, context) : unanswered({ ...event }, context),
    );
    return method === 'HEAD' ? { ...answer, body: '' } : answer;
  };
}

function noRoute(routes: Routes, { rawPath, requestContext }: Arrived): ApiError {
  const methods = methodsOf(routes, rawPath);
  const path = shortened(rawPath, MAX_PATH);
  const { method } = requestContext.http;
  if (methods.length === 0) return new ApiError('not_found', `There is no operation ${method} ${path}.`);
  return new ApiError('not_found', `${path} answers ${methods.join(', ')}, not ${method}.`);
}

/** Characters of a path in an error. */
const MAX_PATH = 200;
