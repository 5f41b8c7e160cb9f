import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visitReader } from '#functions/workers/deliveries/visit.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { type Zone, zones } from '#shared/assets/zones/zone.ts';
import { sealSecret } from '#shared/code/integrations/connected.ts';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import { positions } from '#shared/events/position.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openNetwork } from '#shared/platform/runtime/network.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import { type Draft, openTable } from '#shared/platform/table/table.ts';
import { listPrices } from '../infra/bill/month.ts';
import { portsOf } from './lease-world.ts';
import { attachMeter } from './meter.ts';
import { type BenchTable, benchRow, benchTable } from './report.ts';

const TABLE = 'bench-notify';
/** A delivery is three rows: its place, itself before the call and itself after the call. The position and the health are few. */
const MOST_WRITES = 5;

/** Events a second to one endpoint that answers at once, and what the table costs for a million deliveries. */
export async function benchNotify(events: number): Promise<BenchTable> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), `${TABLE}.log`) });
  const receiver = await startReceiver();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamo = openDynamo(TABLE, { endpoint: engine.endpoint, region: 'eu-central-1', credentials });
  try {
    await ensureTable(dynamo.client, TABLE);
    const key = { kid: 'bench', key: randomBytes(32).toString('base64url'), from: '2026-01-01T00:00:00.000Z' };
    const ports = portsOf(dynamo);
    const secrets = { ...ports.secrets, get: async () => JSON.stringify({ keys: [key] }) };
    const network = openNetwork({ CODE_HOSTS_PRIVATE: '1' });
    const context = { connections: { ...ports, secrets, network }, table: openTable(dynamo, newId()) };
    const readerId = await addEndpoint(context, receiver.url);
    for (let n = 0; n < events; n++) await context.table.create(zones, zoneOf(n));
    await numberChanges(context.table);
    const meter = attachMeter(dynamo);
    const began = elapsedMs();
    const { readUnits, writeUnits } = await meter.measure(async () => {
      while (receiver.received() < events)
        for (const apart of [false, true]) await visitReader(context, { kind: 'webhook', readerId, apart });
    });
    const seconds = (elapsedMs() - began) / 1000;
    const { dollars } = listPrices();
    const each = (readUnits * dollars.readUnit + writeUnits * dollars.writeUnit) / events;
    const row = benchRow({
      operation: 'delivery of an event, each',
      size: String(events),
      roundTrips: 0,
      seconds,
      readUnits: readUnits / events,
      writeUnits: writeUnits / events,
      budget: { writeUnits: MOST_WRITES },
    });
    const figures = {
      'events a second': Math.round(events / seconds),
      'dollars of the table for a million': Number((each * 1e6).toFixed(2)),
    };
    return benchTable('Deliveries to one webhook endpoint', [row], [figures]);
  } finally {
    receiver.close();
    await engine.stop();
  }
}

/** Takes every event at once. @param heard is called with each body */
export async function startReceiver(heard: (body: string) => void = () => undefined) {
  let received = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part) => parts.push(part))
      .on('end', () => {
        received += 1;
        response.end();
        heard(Buffer.concat(parts).toString());
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received: () => received, close: () => server.close() };
}

export const zoneOf = (n: number): Draft<Zone> => ({ name: `zone ${n}`, description: '', cidrs: [] });

export async function addEndpoint(context: Context, url: string, types: string[] = ['zone.created']): Promise<string> {
  const { table } = context;
  const [id = ''] = await table.reserve(webhookEndpoints, 1);
  const draft = { id, name: 'Hooks', url, types, matching: null, enabled: true, publicKey: null };
  await table.create(
    webhookEndpoints,
    { ...draft, status: 'active' as const, error: null, secretUpdatedAt: now() },
    async (batch) =>
      batch.write(
        await sealSecret(context, id, { webhook: newWebhookSecret() }),
        putWrite(table.tenant, positions, { row: { readerId: id, seen: 0, failures: 0 } }),
      ),
  );
  return id;
}
