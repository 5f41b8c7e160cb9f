import { createHmac, randomBytes } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { github } from '#functions/code/webhooks/github.ts';
import { gitlab } from '#functions/code/webhooks/gitlab.ts';
import { receive, type WebhookCall } from '#functions/code/webhooks/receive.ts';
import { receiveBilling } from '#functions/code/webhooks/receive-billing.ts';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { digest } from '../../../support/every-route.ts';
import { giveSealingKey, makeIntegration } from '../../../support/integrations.ts';
import { signatureOf } from '../../../support/stripe.ts';
import { startWorld } from '../../workers/imports/world.ts';

/** Nobody fills the table or the bucket without the secret: neither has a trace of what came. */
const world = await startWorld();
afterAll(() => world.stop());
const { connections } = world;
giveSealingKey(connections);
const STRIPE = 'whsec_stripe';
const { get } = connections.secrets;
connections.secrets.get = async (name) => (name === connections.settings.BILLING_SECRET ? STRIPE : get(name));

const secret = newWebhookSecret();
const table = world.newOrganization();
await makeIntegration({ connections, table }, { webhook: secret });
const gitlabs = { kind: 'codehost_b', account: 'shop' } as const;
await makeIntegration({ connections, table }, { webhook: secret }, gitlabs);

/** Longer than the table takes, so that it lies in the bucket once it is kept. */
const long = () => randomBytes(350_000).toString('base64');
const hub = () => JSON.stringify({ repository: { id: 1, owner: { login: 'octo-shop' } }, filler: long() });
const lab = () =>
  JSON.stringify({ object_kind: 'push', project: { path_with_namespace: 'shop/till' }, filler: long() });
const event = () =>
  JSON.stringify({ id: `evt_${newId()}`, type: 'invoice.paid', created: 1, data: { object: { filler: long() } } });

type Headers = Record<string, string>;
const hmac = (text: string, key = secret) => `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;
const fromHub = (signature: string): Headers => ({
  'x-github-event': 'push',
  'x-github-delivery': newId(),
  'x-hub-signature-256': signature,
});
const fromLab = (more: Headers): Headers => ({
  'x-gitlab-event': 'Push Hook',
  'x-gitlab-event-uuid': newId(),
  ...more,
});
function signedByLab(text: string, { key = secret, age = 0 } = {}): Headers {
  const [id, at] = [newId(), new Date(Date.now() - age * 1000)];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, text),
  };
}
const fromStripe = (header: string): Headers => ({ 'stripe-signature': header });

const receivers = {
  hub: (call: WebhookCall) => receive(github, call),
  lab: (call: WebhookCall) => receive(gitlab, call),
  stripe: receiveBilling,
};
type Receiver = keyof typeof receivers;

/** The bodies that were parsed. */
let parsed = 0;

function send(to: Receiver, text: string | Uint8Array, headers: Headers) {
  const cause = { operation: 'receive', requestId: newId(), ip: '192.0.2.1' };
  const request = { headers, bytes: Buffer.from(text) };
  const body = () => {
    parsed += 1;
    return JSON.parse(request.bytes.toString());
  };
  return receivers[to]({ connections, cause, query: {}, body, request });
}

async function everything() {
  const { Contents = [] } = await (await connections.bucket.client()).send(
    new ListObjectsV2Command({ Bucket: connections.bucket.name }),
  );
  const rows = await digest(connections.dynamo);
  return { rows, files: Contents.map(({ Key }) => Key).toSorted(), messages: world.messages.length };
}

/** The text with another byte in its middle. */
const changed = (text: string): string => `${text.slice(0, 500)}${text[500] === 'A' ? 'B' : 'A'}${text.slice(501)}`;

const attempts: [Receiver, string, () => [text: string, headers: Headers]][] = [
  ['hub', 'a wrong signature', () => signed(hub(), (text) => fromHub(hmac(text, 'whsec_other')))],
  ['hub', 'no signature', () => [hub(), { 'x-github-event': 'push', 'x-github-delivery': newId() }]],
  ['hub', 'another byte', () => altered(hub(), (text) => fromHub(hmac(text)))],
  ['lab', 'a wrong token', () => [lab(), fromLab({ 'x-gitlab-token': 'another' })]],
  ['lab', 'no token', () => [lab(), fromLab({})]],
  ['lab', 'a wrong signature', () => signed(lab(), (text) => signedByLab(text, { key: newWebhookSecret() }))],
  ['lab', 'a signature of ten minutes ago', () => signed(lab(), (text) => signedByLab(text, { age: 600 }))],
  ['lab', 'another byte', () => altered(lab(), (text) => signedByLab(text))],
  ['stripe', 'a wrong signature', () => signed(event(), (text) => fromStripe(signatureOf(text, 'whsec_other')))],
  ['stripe', 'no signature', () => [event(), {}]],
  [
    'stripe',
    'a signature of ten minutes ago',
    () => signed(event(), (text) => fromStripe(signatureOf(text, STRIPE, 600))),
  ],
  ['stripe', 'another byte', () => altered(event(), (text) => fromStripe(signatureOf(text, STRIPE)))],
];

type Sign = (text: string) => Headers;
const signed = (text: string, sign: Sign): [string, Headers] => [text, sign(text)];
const altered = (text: string, sign: Sign): [string, Headers] => [changed(text), sign(text)];

describe('nothing is written for a delivery', () => {
  test.each(attempts)('to the receiver %s with %s', async (to, _, made) => {
    const before = await everything();
    const parsedBefore = parsed;
    await expect(send(to, ...made())).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await everything()).toEqual(before);
    expect(parsed).toBe(parsedBefore);
  });

  const decoded: [Receiver, (text: string) => Headers][] = [
    ['hub', (text) => fromHub(hmac(text))],
    ['lab', (text) => signedByLab(text)],
    ['stripe', (text) => fromStripe(signatureOf(text, STRIPE))],
  ];
  test.each(decoded)('to the receiver %s with other bytes that decode to the signed text', async (to, sign) => {
    const text = JSON.stringify({
      ...JSON.parse(to === 'lab' ? lab() : hub()),
      id: `evt_${newId()}`,
      type: 'a',
      x: '\ufffd',
    });
    const whole = Buffer.from(text);
    const at = whole.indexOf('\ufffd');
    const bytes = Buffer.concat([whole.subarray(0, at), Buffer.from([0xff]), whole.subarray(at + 3)]);
    expect(bytes.toString()).toBe(text);
    const before = await everything();
    await expect(send(to, bytes, sign(text))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await everything()).toEqual(before);
    expect(await send(to, whole, sign(text))).toMatchObject({ duplicate: false });
  });

  const replays: [Receiver, () => [text: string, headers: Headers]][] = [
    ['hub', () => signed(hub(), (text) => fromHub(hmac(text)))],
    ['stripe', () => signed(event(), (text) => fromStripe(signatureOf(text, STRIPE)))],
  ];
  test.each(replays)('to the receiver %s that was taken and is sent again by somebody who saw it', async (to, made) => {
    const [text, headers] = made();
    expect(await send(to, text, headers)).toMatchObject({ accepted: true, duplicate: false });
    const before = await everything();
    expect(before.files.length).toBeGreaterThan(0);
    const again = to === 'hub' ? { ...headers, 'x-github-delivery': newId() } : headers;
    await expect(send(to, text, again)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await everything()).toEqual(before);
  });

  test('to GitLab that comes twice under one id with another body', async () => {
    const [text, headers] = [lab(), fromLab({ 'x-gitlab-token': secret })];
    expect(await send('lab', text, headers)).toMatchObject({ duplicate: false });
    const before = await everything();
    expect(await send('lab', text, headers)).toMatchObject({ duplicate: true });
    await expect(send('lab', changed(text), headers)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await everything()).toEqual(before);
  });
});
