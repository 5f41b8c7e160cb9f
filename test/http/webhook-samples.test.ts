import { createHmac } from 'node:crypto';
import samples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { githubEvents } from '#functions/workers/webhooks/github.ts';
import { gitlabEvents } from '#functions/workers/webhooks/gitlab.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { organization, system, withAnalyst } from '../support/analyst.ts';
import { documentedEvents } from '../support/documented-events.ts';
import { expectExact } from '../support/verify.ts';
import { until } from '../support/wait.ts';

withAnalyst();

type Sample = { event: string; action: string; text: string };

/** GitHub's published payloads, each once: a body is taken under one id. */
const bodies = samples.flatMap(({ name: event, examples }) =>
  examples.map((body): Sample => ({ event, action: String(Object(body).action ?? ''), text: JSON.stringify(body) })),
);
const published = [...new Map(bodies.map((sample) => [sample.text, sample])).values()];

const documented = documentedEvents('code-hosts.md', 'Events of GitHub');

/** An alert is left as it is where somebody dismissed it at the host, or a newer event was worked before. */
const LEFT = /decide on its finding here|has changed since/;

/** The effects that the published events have together. */
const EFFECTS = [
  ...['alert_closed', 'alert_imported', 'branch_kept', 'branches_protected', 'connected'],
  ...['repositories_added', 'repositories_removed', 'repository_kept'],
];

test('the documentation names every event that is handled, and no other', () => {
  expect([...documented.keys()].toSorted()).toEqual(Object.keys(githubEvents).toSorted());
  expect([...documentedEvents('code-hosts.md', 'Events of GitLab').keys()].toSorted()).toEqual(
    Object.keys(gitlabEvents).toSorted(),
  );
});

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
        'content-type': 'application/json',
        'x-hub-signature-256': signature,
        'x-github-event': event,
        'x-github-delivery': `sample-${n}`,
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
    const row = documented.get(`${event}.${action}`) ?? documented.get(event);
    const isAlertLeft = event.endsWith('_alert') && outcome?.outcome === 'ignored';
    if (row === undefined)
      expect([deliveryId, outcome]).toEqual([
        deliveryId,
        { outcome: 'ignored', effects: [], reason: `${event} changes nothing here` },
      ]);
    else if (isAlertLeft) expect([deliveryId, outcome.reason]).toEqual([deliveryId, expect.stringMatching(LEFT)]);
    else {
      const others = outcome?.effects.filter((effect) => !row.includes(`\`${effect}\``));
      expect([deliveryId, event, outcome?.outcome, others]).toEqual([deliveryId, event, 'handled', []]);
      expect([deliveryId, outcome?.effects.length]).not.toEqual([deliveryId, 0]);
    }
  }
  const effects = new Set(worked.flatMap(({ outcome }) => outcome?.effects ?? []));
  expect([...effects].toSorted()).toEqual(EFFECTS);
  const counts = await admin.ok('countDeliveries', { params: { id: hub.id } });
  const sent = Map.groupBy(published, ({ event }) => event);
  expect(new Map(counts.map(({ value, count }) => [value, count]))).toEqual(
    new Map([...sent].map(([event, all]) => [event, all.length])),
  );
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
