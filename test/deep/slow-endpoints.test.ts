import { afterAll, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { startServer } from '../support/code-hosts/server.ts';
import { startSystem } from '../support/system.ts';
import { eventually } from '../support/wait.ts';

const system = startSystem();
const ENDPOINTS = 20;
const SLOW = '/hook-0';
/** Longer than what the service takes for slow, shorter than its limit of a call. */
const SLOW_MS = 2500;

const held: (() => void)[] = [];
let isHeld = false;
const receiver = await startServer(async ({ path }) => {
  if (path === SLOW)
    await new Promise<void>((resolve) => {
      if (isHeld) held.push(resolve);
      else setTimeout(resolve, SLOW_MS);
    });
  return { status: 200 };
});
afterAll(async () => {
  for (const release of held.splice(0)) release();
  await receiver.stop();
});

test('an endpoint that keeps each call waiting delays none of nineteen others, and gets its events in order', async () => {
  const { admin, table } = await system.newOrganization();
  const paths = Array.from({ length: ENDPOINTS }, (_, n) => `/hook-${n}`);
  for (const path of paths)
    await admin.ok('createWebhookEndpoint', {
      body: { name: path, url: receiver.url + path, types: ['zone.created'] },
    });
  const zone = async (name: string) => {
    await admin.ok('createZone', { body: { name, cidrs: [] } });
    await wakeViews(system.connections, table, newId());
  };
  const countOf = (path: string) => receiver.asked.filter((asked) => asked.path === path).length;
  await zone('first');
  await eventually(() => expect(paths.map(countOf)).toEqual(paths.map(() => 1)));
  // the service knows by now which endpoint is slow
  await eventually(async () => {
    const { data } = await admin.ok('listSentDeliveries', { query: { status: ['pending'] } });
    expect(data).toEqual([]);
  });
  isHeld = true;
  await zone('second');
  const others = paths.filter((path) => path !== SLOW);
  await eventually(() => expect(others.map(countOf)).toEqual(others.map(() => 2)));
  expect(countOf(SLOW), 'no call of the slow one has ended meanwhile').toBeLessThanOrEqual(2);
  isHeld = false;
  for (const release of held.splice(0)) release();
  await zone('third');
  const names = () => receiver.asked.filter(({ path }) => path === SLOW).map(({ body }) => body.data.fields.name.to);
  await eventually(() => expect([...new Set(names())]).toEqual(['first', 'second', 'third']));
});
