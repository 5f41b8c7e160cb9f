import { createHmac } from 'node:crypto';
import samples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { githubEvents } from '#functions/workers/webhooks/github.ts';
import { repositories } from '#shared/entities/repository.ts';
import { organization, system } from '#test/support/analyst.ts';
import { expectExact } from '#test/support/verify.ts';
import { until } from '#test/support/wait.ts';

type Sample = { event: string; action: string; text: string };

/** GitHub's published payloads, each once: a body is taken under one id. */
const bodies = samples.flatMap(({ name: event, examples }) =>
  examples.map((body): Sample => ({ event, action: String(Object(body).action ?? ''), text: JSON.stringify(body) })),
);
const published = [...new Map(bodies.map((sample) => [sample.text, sample])).values()];

test('every published event of GitHub is taken and worked, those of kinds that change nothing as well', async () => {
  const { admin, table } = organization;
  const hub = await admin.ok('createIntegration', { body: { kind: 'codehost_a', name: 'All', account: 'codertocat' } });
  const url = new URL(hub.webhookUrl);
  const statuses = new Map<string, number>();
  for (const [n, { event, text }] of published.entries()) {
    const signature = `sha256=${createHmac('sha256', hub.webhookSecret).update(text).digest('hex')}`;
    const { status } = await system.client().send('POST', url.pathname, {
      query: Object.fromEntries(url.searchParams),
      body: text,
      headers: {
        ...{ 'content-type': 'application/json', 'x-hub-signature-256': signature },
        ...{ 'x-github-event': event, 'x-github-delivery': `sample-${n}` },
      },
    });
    statuses.set(`sample-${n}`, status);
  }
  expect([...statuses].filter(([, status]) => status !== 200)).toEqual([]);
  const worked = await until(
    () => allDeliveries(hub.id),
    (all) =>
      all.length === published.length && all.every(({ status }) => status === 'succeeded' || status === 'failed'),
  );
  expect(worked.filter(({ status }) => status === 'failed')).toEqual([]);
  for (const { deliveryId, event, action, outcome } of worked) {
    const isHandled = `${event}.${action}` in githubEvents || event in githubEvents;
    if (!isHandled)
      expect([deliveryId, outcome]).toEqual([
        deliveryId,
        { outcome: 'ignored', effects: [], reason: `${event} changes nothing here` },
      ]);
    else expect(outcome?.outcome === 'handled' || outcome?.reason).toBeTruthy();
  }
  const kept = await table.list(repositories, { paginateFrom: 0, paginateSize: 100 });
  expect(kept.totalCount).toBeGreaterThan(5);
  await expectExact(table, [repositories]);

  async function allDeliveries(id: string, before?: string): Promise<Awaited<ReturnType<typeof page>>['data']> {
    const { data, next } = await page(id, before);
    return next ? [...data, ...(await allDeliveries(id, next))] : data;
  }
  function page(id: string, before?: string) {
    return admin.ok('listDeliveries', { params: { id }, query: { limit: 100, ...(before && { before }) } });
  }
});
