import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type Stripe from 'stripe';
import { newId } from '#shared/platform/runtime/ids.ts';
import { PUBLIC_ADDRESS, publicNetwork } from './network.ts';

export const KEY = 'rk_test_51ServerOfTests';

type Form = Record<string, string>;
type Asked = { method: string; path: string; host: string | undefined; form: Form; idempotencyKey: string | undefined };
type Answer = { status: number; body: object; headers?: Record<string, string> };

/** A failure that the server makes of the next request. `lost`: it carries it out, and the answer is lost. */
type Trouble = Answer | 'hang up' | 'lost' | 'no JSON';

const refused = (
  status: number,
  error: Partial<Stripe.StripeRawError> & { type: string; message: string },
): Answer => ({
  status,
  body: { error },
});

const parameter = (param: string, code: string, message: string) =>
  refused(400, { type: 'invalid_request_error', message, param, code } as never);

type Price = { key: string | null; offered: boolean; product?: string };

const priceOf = ({ key, offered, product = 'Team' }: Price) =>
  ({
    ...{
      id: `price_${key ?? 'none'}`,
      object: 'price',
      active: true,
      currency: 'eur',
      unit_amount: 9900,
      nickname: null,
    },
    lookup_key: key,
    type: 'recurring',
    metadata: offered ? { selfService: 'true' } : {},
    product: { id: 'prod_1', object: 'product', name: product } as Stripe.Product,
    recurring: { interval: 'month', interval_count: 1 } as Stripe.Price.Recurring,
  }) satisfies Partial<Stripe.Price>;

/** Stripe's HTTP API on the loopback, as far as this service asks: forms, error records, idempotency keys. */
export async function startStripe(prices: Price[]) {
  const asked: Asked[] = [];
  const sessions: { path: string; form: Form }[] = [];
  const known = new Map<string, { form: string; answer: Answer }>();
  let troubles: Trouble[] = [];
  const server = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const url = new URL(request.url ?? '', 'http://stripe');
    const text = request.method === 'POST' ? body : url.search;
    const idempotencyKey = request.headers['idempotency-key']?.toString();
    const one: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      host: request.headers.host,
      form: Object.fromEntries(new URLSearchParams(text)),
      idempotencyKey,
    };
    asked.push(one);
    const trouble = troubles.shift();
    if (trouble === 'hang up') return request.socket.destroy();
    if (trouble === 'no JSON') return response.writeHead(200).end('<html>');
    const answer = typeof trouble === 'object' ? trouble : remembered(request, one, text);
    if (trouble === 'lost') return request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_1', ...answer.headers });
    return response.end(JSON.stringify(answer.body));
  }

  /** https://docs.stripe.com/api/idempotent_requests */
  function remembered(request: IncomingMessage, one: Asked, form: string): Answer {
    const former = one.idempotencyKey === undefined ? undefined : known.get(one.idempotencyKey);
    if (former && former.form !== form)
      return refused(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters',
      });
    const answer = former?.answer ?? judge(request, one);
    if (one.idempotencyKey !== undefined) known.set(one.idempotencyKey, { form, answer });
    return answer;
  }

  function judge({ headers, method }: IncomingMessage, { path, form }: Asked): Answer {
    if (headers.authorization !== `Bearer ${KEY}`)
      return refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: rk_test_***ests' });
    if (!/^\d{4}-\d\d-\d\d\.[a-z]+$/.test(String(headers['stripe-version'])))
      return refused(400, { type: 'invalid_request_error', message: 'Invalid Stripe API version' });
    if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded')
      return refused(400, { type: 'invalid_request_error', message: 'Invalid request: check the content type.' });
    if (method === 'GET' && path === '/v1/prices') return listed(form);
    if (method === 'POST' && path === '/v1/billing_portal/sessions') return portal(form);
    if (method === 'POST' && path === '/v1/checkout/sessions') return checkout(form);
    return refused(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });
  }

  const listed = (form: Form): Answer => {
    const wanted = form['lookup_keys[]'];
    const data = prices.filter(({ key }) => wanted === undefined || key === wanted).map(priceOf);
    return { status: 200, body: { object: 'list', url: '/v1/prices', has_more: false, data } };
  };

  const portal = (form: Form): Answer => {
    const { customer = '', return_url: returnUrl = '' } = form;
    if (!customer.startsWith('cus_'))
      return parameter('customer', 'resource_missing', `No such customer: '${customer}'`);
    if (!URL.canParse(returnUrl)) return parameter('return_url', 'url_invalid', 'Not a valid URL');
    sessions.push({ path: 'portal', form });
    return {
      status: 200,
      body: { id: `bps_${newId()}`, object: 'billing_portal.session', url: 'https://billing.stripe.com/p/session/1' },
    };
  };

  const checkout = (form: Form): Answer => {
    if (form.mode !== 'subscription') return parameter('mode', 'parameter_missing', 'Missing required param: mode.');
    if (!prices.some((price) => priceOf(price).id === form['line_items[0][price]']))
      return parameter('line_items[0][price]', 'resource_missing', `No such price: '${form['line_items[0][price]']}'`);
    sessions.push({ path: 'checkout', form });
    return {
      status: 200,
      body: { id: `cs_${newId()}`, object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay/cs_1' },
    };
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network = {
    ...publicNetwork({ 'api.stripe.com': [PUBLIC_ADDRESS] }),
    connect: async () => connect(port, '127.0.0.1'),
  };
  return {
    network,
    asked,
    sessions,
    /** From now on; what was asked before is forgotten. */
    begin(...next: Trouble[]) {
      asked.length = 0;
      sessions.length = 0;
      troubles = next;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const stripeDown: Answer = refused(503, { type: 'api_error', message: 'Sorry, we are down.' });
