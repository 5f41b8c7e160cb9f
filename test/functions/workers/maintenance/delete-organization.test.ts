import { afterAll, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { shortId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { bucketTexts, rowTexts } from '../../../support/everything-stored.ts';
import { expectExact } from '../../../support/verify.ts';
import { makeVictim } from '../imports/crash.ts';
import { allFindings } from '../imports/expectations.ts';
import { codeScan, problems, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
const victim = await makeVictim(world.connections);
afterAll(() => world.stop());

async function left({ organizationId }: Table, taskId: string): Promise<string[]> {
  const objects = await bucketTexts(world.connections);
  const texts = [...(await rowTexts(world.connections)), ...objects.keys()];
  const isNamed = (text: string) => text.includes(organizationId) || text.includes(shortId(organizationId));
  return texts.filter((text) => isNamed(text) && !text.includes(taskId));
}

test('a deletion whose worker dies at any write ends as one that nobody disturbed', async () => {
  const [provider, other] = [world.newOrganization(), world.newOrganization()];
  await world.ingest(other, codeScan(sarif(problems(3))));
  const before = await allFindings({ connections: world.connections, table: other });
  let died = 0;
  for (const write of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const gone = world.newOrganization();
    await world.ingest(gone, codeScan(sarif(problems(30))));
    const { taskId } = await queueTask(
      { connections: world.connections, table: provider },
      {
        operation: 'delete_organization',
        job: 'maintenance',
        unit: 'rows and objects',
        input: { work: 'delete', organizationId: gone.organizationId },
        send: { group: gone.organizationId },
      },
    );
    victim.killAt(write, write % 2 === 0 ? 'before' : 'after');
    await world.deliver().catch(() => undefined);
    died += Number(victim.isDead());
    victim.restart();
    await world.drain();
    setClock(() => Date.now() + 180_000);
    await sweep(world.connections);
    await world.drain();
    setClock();
    expect(await world.task(provider, taskId)).toMatchObject({ status: 'succeeded', result: { mentions: {} } });
    expect(await left(gone, taskId)).toEqual([]);
  }
  expect(died).toBeGreaterThan(5);
  expect(await allFindings({ connections: world.connections, table: other })).toEqual(before);
  await expectExact(other, [findings]);
});
