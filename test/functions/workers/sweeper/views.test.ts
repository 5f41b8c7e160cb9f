import { afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { acceptanceWrites, decide } from '#shared/vulnerabilities/vulnerability/decide.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { addFinding, log4j } from '../../../support/vulnerabilities.ts';

const store = useStore('test');
afterEach(() => setClock());

/** The messages of a sweeper that runs at this time. */
async function sent(at: number): Promise<object[]> {
  const messages: object[] = [];
  setClock(() => at);
  const send = async (queue: string, message: object) => void messages.push({ queue, ...message });
  await sweep({ dynamo: store.dynamo, queues: { send } } as unknown as Connections);
  return messages;
}

test('changes that somebody numbered and nobody followed wake the views within minutes, once', async () => {
  const table = newOrganization(store.dynamo);
  const start = Date.now();
  await addFinding(table, log4j());
  setClock(() => start + 5_000);
  await numberChanges(table);
  expect(await sent(start + 100_000)).toEqual([{ queue: 'views.fifo', organizationId: table.organizationId }]);
  expect(await sent(start + 200_000)).toEqual([]);
});

test('changes that the views have followed already wake nobody', async () => {
  const table = newOrganization(store.dynamo);
  const start = Date.now();
  await addFinding(table, log4j());
  setClock(() => start + 5_000);
  await keepViews(table, [], () => false);
  expect(await sent(start + 100_000)).toEqual([]);
});

test('a risk that was accepted until a time is open again then', async () => {
  const table = newOrganization(store.dynamo);
  const start = Date.now();
  const at = new Date(start).toISOString();
  const finding = await addFinding(table, log4j());
  const { asset, severity, firstSeenAt, tool } = finding;
  const facts = {
    advisoryId: 'CVE-2021-44228',
    aliases: [],
    asset,
    severity,
    status: 'open',
    tool,
    tags: [],
    firstSeenAt,
  } as const;
  const current = await table.create(vulnerabilities, {
    key: 'k',
    advisoryId: facts.advisoryId,
    aliases: [],
    title: 'x',
    severity,
    cvss: {},
    priority: 1,
    ssvc: 'track',
    asset,
    status: 'open',
    findingsCount: 1,
    tools: [tool],
    tags: [],
    firstSeenAt,
    said: [[{ ...facts, aliases: [], tags: [] }, 1]],
  });
  const acceptedUntil = new Date(start + 60_000).toISOString();
  const wanted = { status: 'risk_accepted', reason: 'a test', acceptedUntil } as const;
  const changed = table.changed(current, decide(current, wanted, { at, approver: { id: 'ann', name: 'Ann' } }));
  const batch = table.batch();
  batch.write(...acceptanceWrites(table, current, batch.update(vulnerabilities, current, changed)));
  await batch.commit();
  await sent(start + 59_000);
  expect(await table.get(vulnerabilities, current.id)).toMatchObject({ status: 'risk_accepted' });
  await sent(start + 61_000);
  const open = await table.get(vulnerabilities, current.id);
  expect(open).toMatchObject({ status: 'open' });
  expect(open.decision).toBeUndefined();
});
