import { afterAll, afterEach, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { MAX_DEATHS } from '#shared/platform/jobs/attempts.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { readUse } from '#shared/platform/quotas/places.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { makeVictim } from './crash.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, problems, repository, sarif } from './reports.ts';
import { redriven, startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());
const victim = await makeVictim(world.connections);

test('a small upload of the same organization does not wait for the end of a large one', async () => {
  const table = world.newOrganization();
  const large = await world.accept(table, codeScan(sarif(problems(2100))));
  const small = await world.accept(table, codeScan(sarif(problems(20)), { target: repository('small') }));
  let now = nowMs();
  setClock(() => {
    now += 1_000;
    return now;
  });
  await world.deliver();
  expect((await world.task(table, large)).status).toBe('running');
  await world.deliver();
  expect((await world.task(table, small)).result).toMatchObject({ created: 20 });
  await world.drain();
  expect((await world.task(table, large)).result).toMatchObject({ created: 2100 });
  await expectSound(table);
});

test('a report of the same scope waits for the large one before it, and is then worked', async () => {
  const table = world.newOrganization();
  const large = await world.accept(table, codeScan(sarif(problems(2100))));
  const next = await world.accept(table, codeScan(sarif(problems(2099))));
  let now = nowMs();
  setClock(() => {
    now += 1_000;
    return now;
  });
  await world.deliver();
  await world.deliver();
  expect(await world.task(table, next)).toMatchObject({ status: 'queued' });
  await world.drain();
  expect((await world.task(table, large)).result).toMatchObject({ created: 2100 });
  expect((await world.task(table, next)).result).toMatchObject({ created: 0, unchanged: 2099, closed: 1 });
});

test('a worker killed again and again in a large report makes each finding once', async () => {
  const table = world.newOrganization();
  const id = await world.accept(table, codeScan(sarif(problems(700))));
  const message = world.messages[0];
  if (!message) throw new Error('no message');
  for (let write = 3; write < 200; write += 17) {
    victim.killAt(write, write % 2 === 0 ? 'before' : 'after');
    await world.deliver();
    const died = victim.isDead();
    victim.restart();
    if (!died) break;
    Object.assign(message, redriven());
  }
  await world.drain();
  expect((await world.task(table, id)).result).toMatchObject({ created: 700, updated: 0, unchanged: 0 });
  expect((await table.list(findings, { paginateFrom: 0, paginateSize: 1 })).totalCount).toBe(700);
  await expectSound(table);
});

test('a report that keeps failing does not block those behind it, and is worked when it is redriven', async () => {
  const table = world.newOrganization();
  const broken = await world.accept(table, codeScan(sarif(problems(3))));
  const next = await world.accept(table, codeScan(sarif(problems(2))));
  const message = world.messages[0];
  if (!message) throw new Error('no message');
  const { bucket } = world.connections;
  const get = bucket.get;
  bucket.get = async () => Promise.reject(new Error('the bucket is gone'));
  while (message.received < 5) await world.deliver();
  bucket.get = get;
  expect(await world.task(table, broken)).toMatchObject({ status: 'failed', error: { code: 'dead_lettered' } });
  expect((await readUse(table)).get('runningImports')).toBe(1); // the next one
  world.messages.shift();
  await world.drain();
  expect((await world.task(table, next)).result).toMatchObject({ created: 2 });
  Object.assign(message, redriven()); // redriven
  await world.deliver(message);
  expect((await world.task(table, broken)).result).toMatchObject({ created: 1, unchanged: 2 });
});

test('a report whose worker dies twice does not block its scope: the next one starts when it has failed', async () => {
  const table = world.newOrganization();
  const dying = await world.accept(table, codeScan(sarif(problems(3))));
  const next = await world.accept(table, codeScan(sarif(problems(2))));
  const [message, other] = world.messages.splice(0);
  if (!message || !other) throw new Error('no messages');
  while (message.received < MAX_DEATHS) {
    victim.killAt(message.received === 0 ? 3 : 1, 'after'); // first with the scope in its hands
    await world.deliver(message);
    victim.restart();
  }
  await world.deliver(other);
  expect(await world.task(table, dying)).toMatchObject({ status: 'running' });
  expect(await world.task(table, next)).toMatchObject({ status: 'queued' });
  await world.deliver(message);
  expect(await world.task(table, dying)).toMatchObject({ status: 'failed', error: { code: 'worker_died' } });
  world.messages.push(...world.messages.splice(0).filter((one) => one !== message));
  await world.drain();
  expect((await world.task(table, next)).status).toBe('succeeded');
});

test('a report that failed half-way counts, when it is redriven, what a newer one has closed meanwhile', async () => {
  const counted: unknown[] = [];
  for (let write = 4; write <= 16; write++) {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(1))));
    const half = await world.accept(table, codeScan(sarif(problems(3))));
    const [message] = world.messages.splice(0);
    if (!message) throw new Error('no message');
    victim.killAt(write, 'after');
    await world.deliver(message);
    victim.restart();
    message.received = jobs.ingest.attempts;
    await world.deliver(message); // marks the task as failed, or finds that it was done
    world.messages.splice(0);
    await world.ingest(table, codeScan(sarif([])));
    world.messages.push({ ...message, ...redriven() });
    await world.drain();
    const task = await world.task(table, half);
    const [first] = (await allFindings({ connections: world.connections, table })).filter(({ location }) =>
      /file-0\b/.test(location),
    );
    counted.push([write, task.status, first?.status, first?.occurrences, first?.lastSeenAt === task.createdAt]);
  }
  expect(counted).toEqual(counted.map((_, n) => [n + 4, 'succeeded', 'fixed', 2, true]));
});

test('a scope whose holder was lost goes on: after an hour a later report takes it, and the lost one comes anew', async () => {
  const table = world.newOrganization();
  const lost = await world.accept(table, codeScan(sarif(problems(3))));
  const message = world.messages.shift();
  victim.killAt(3, 'after');
  await world.deliver(message);
  victim.restart();
  world.messages.splice(0);
  const start = nowMs();
  setClock(() => start + 3_600_000);
  expect(await world.ingest(table, codeScan(sarif(problems(2))))).toMatchObject({ status: 'succeeded' });
  await world.deliver(message);
  expect(await world.task(table, lost)).toMatchObject({ status: 'succeeded' });
  await expectSound(table);
});
