import { reachOf, textOf } from '#shared/platform/outgoing/ask.ts';
import { call } from '#shared/platform/outgoing/call.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { parseBounded } from '#shared/platform/runtime/json-cost.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isUnsetSecret } from '#shared/platform/runtime/secrets.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { textAt } from '#shared/reports/readers/json.ts';

const API = 'https://api.stripe.com/v1/';
/** Answers keep this shape, whatever version the account has: https://docs.stripe.com/api/versioning */
const VERSION = '2026-10-28.endive';
/** A request to the gateway ends after 30 seconds: three attempts fit. */
const TIME_LIMIT_MS = 7000;
const ATTEMPTS = 3;

type StripeRequest = { method: 'GET' | 'POST'; path: string; fields: Record<string, string> };
type StripeAnswer = { status: number; headers: Headers; text: string };

/** No answer, or an answer of Stripe that asks for another attempt. */
class Unanswered extends Error {}

export const isSetUp = ({ settings }: Pick<Connections, 'settings'>): boolean => settings.STRIPE_SECRET !== undefined;

const NOT_SET_UP =
  'This deployment has no key of the payment processor, so plans cannot be bought or changed here: ask the provider of the service.';

/**
 * Asks Stripe. The attempts of a request have one idempotency key: a request whose answer was lost is not carried out twice.
 * @throws conflict with what to do
 */
export async function askStripe(connections: Connections, request: StripeRequest): Promise<unknown> {
  const headers = headersOf(request, await keyOf(connections));
  try {
    return await retry(
      async () => resultOf(await send(connections, request, headers)),
      (error) => error instanceof Unanswered,
      (attempt) => attempt === ATTEMPTS,
    );
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    log.warn('Stripe does not answer', { path: request.path, reason: error.message });
    throw conflict(
      `The payment processor does not answer (${error.message}). Nothing was bought or changed: send the request again in some minutes.`,
    );
  }
}

/** @throws conflict until an operator has written the key */
async function keyOf({ secrets, settings }: Connections): Promise<string> {
  if (settings.STRIPE_SECRET === undefined) throw conflict(NOT_SET_UP);
  try {
    return (await secrets.get(settings.STRIPE_SECRET)).trim();
  } catch (error) {
    throw isUnsetSecret(error) ? conflict(NOT_SET_UP) : error;
  }
}

const headersOf = ({ method }: StripeRequest, key: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  accept: 'application/json',
  'accept-encoding': 'identity',
  'stripe-version': VERSION,
  ...(method === 'POST' && {
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': newId(),
  }),
});

/** @throws Unanswered */
async function send(
  connections: Connections,
  { method, path, fields }: StripeRequest,
  headers: Record<string, string>,
): Promise<StripeAnswer> {
  const form = new URLSearchParams(fields).toString();
  const url = new URL(method === 'POST' ? path : `${path}?${form}`, API);
  const body = method === 'POST' ? form : undefined;
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    const answer = await call(reachOf(connections).network, url, { method, headers, body, signal });
    return { status: answer.status, headers: answer.headers, text: await textOf(answer) };
  } catch (error) {
    throw new Unanswered(signal.aborted ? 'timeout' : failureCode(error));
  }
}

/** https://docs.stripe.com/api/errors @throws Unanswered, conflict */
function resultOf({ status, headers, text }: StripeAnswer): unknown {
  const body = parsed(text);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  if (isWorthRepeating(status, headers.get('stripe-should-retry'))) throw new Unanswered(String(status));
  const said = textAt(body, 'error', 'message') ?? 'no reason';
  log.warn('Stripe refuses a request', {
    status,
    requestId: headers.get('request-id'),
    code: textAt(body, 'error', 'code'),
  });
  // the message on a key quotes the end of the key
  if (status === 401 || status === 403)
    throw conflict(
      'The payment processor refuses the key of this deployment: the provider of the service must write a new one.',
    );
  throw conflict(`The payment processor refuses the request: ${shortened(said, 300)}`);
}

/** Stripe's own libraries decide so. 409: another request with the key is still running. */
const isWorthRepeating = (status: number, advice: string | null): boolean =>
  advice === null ? status === 409 || status === 429 || status >= 500 || status < 300 : advice === 'true';

function parsed(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}
