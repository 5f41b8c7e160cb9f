import { createHmac } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { github } from '#functions/code/webhooks/github.ts';
import { receive } from '#functions/code/webhooks/receive.ts';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { giveSealingKey, makeIntegration } from '../../../support/integrations.ts';
import { startWorld } from '../../workers/imports/world.ts';

const world = await startWorld();
const meter = attachMeter(world.connections.dynamo);
afterAll(() => world.stop());
giveSealingKey(world.connections);

test('a code host waits for one transaction and one message, and for none where the signature is wrong', async () => {
  const table = world.newOrganization();
  const secret = newWebhookSecret();
  await makeIntegration({ connections: world.connections, table }, { webhook: secret });
  const bytes = Buffer.from(
    JSON.stringify({ ref: 'refs/heads/main', repository: { id: 1, owner: { login: 'octo-shop' } } }),
  );
  const send = (key: string, id = newId()) => {
    const signature = `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`;
    const headers = { 'x-github-event': 'push', 'x-github-delivery': id, 'x-hub-signature-256': signature };
    const cause = { operation: 'receiveCodehostA', requestId: id, ip: '192.0.2.1' };
    const call = { connections: world.connections, cause, query: {}, body: () => JSON.parse(bytes.toString()) };
    return receive(github, { ...call, request: { headers, bytes } });
  };
  const refused = await meter.measure(() => send('another').catch(() => undefined));
  expect(refused).toMatchObject({ commits: 0, writeUnits: 0 });
  expect(world.messages).toHaveLength(0);
  const taken = await meter.measure(() => send(secret));
  // the transaction, and the removal of the timer that would have sent the message again
  expect(taken.commits).toBe(2);
  expect(taken.writeUnits).toBeLessThanOrEqual(20);
  // the integrations of the account, the integration with its secret, and the two writes
  expect(taken.roundTrips).toBeLessThanOrEqual(4);
  expect(world.messages).toHaveLength(1);
});
