import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '../../../support/tier.ts';
import { contents, expectSound } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

describe('the same findings are one', () => {
  test('a second identical upload changes no finding and no counter', async () => {
    const table = world.newOrganization();
    const report = codeScan(sarif(problems(60)));
    await world.ingest(table, report);
    const before = await contents({ connections: world.connections, table });
    const again = await world.ingest(table, report);
    expect(again.result).toMatchObject({ created: 0, updated: 0, unchanged: 60, closed: 0, reopened: 0 });
    const after = await contents({ connections: world.connections, table });
    expect(after.findings.every(({ occurrences }) => occurrences === 2)).toBe(true);
    const once = after.findings.map((finding) => ({ ...finding, occurrences: 1 }));
    expect({ ...after, findings: once }).toEqual(before);
  });

  test('a finding that the report now describes differently is updated, not doubled', async () => {
    const table = world.newOrganization();
    const [one] = problems(1);
    await world.ingest(table, codeScan(sarif([{ ...one, rule: 'r', file: 'f.ts', text: 'before', level: 'note' }])));
    const changed = { ...one, rule: 'r', file: 'f.ts', text: 'after', level: 'error' as const, line: 99 };
    expect((await world.ingest(table, codeScan(sarif([changed])))).result).toMatchObject({ created: 0, updated: 1 });
    const { findings, facets } = await contents({ connections: world.connections, table });
    expect(findings).toMatchObject([{ title: expect.stringContaining('after'), location: 'f.ts:99', version: 2 }]);
    expect(facets['severity:high']).toBe(1);
    await expectSound(table);
  });

  test('two profiles that find the same thing find one', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(3)), { scanType: 'quick' }));
    const full = await world.ingest(table, codeScan(sarif(problems(5)), { scanType: 'full' }));
    expect(full.result).toMatchObject({ created: 2, unchanged: 3 });
  });

  test('however reports are split and repeated, the table ends the same', async () => {
    const all = problems(12);
    const whole = world.newOrganization();
    await world.ingest(whole, codeScan(sarif(all), { closeMissing: false }));
    const expected = withoutSightings(await contents({ connections: world.connections, table: whole }));
    const part = fc.subarray(all, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const table = world.newOrganization();
        for (const some of [...parts, all]) {
          const repeated = sarif([...some, ...some.slice(0, 2)]);
          await world.ingest(table, codeScan(repeated, { closeMissing: false }));
        }
        expect(withoutSightings(await contents({ connections: world.connections, table }))).toEqual(expected);
        await expectSound(table);
      }),
      { numRuns: runs(3, 15) },
    );
  });
});

describe('reports at the same time', () => {
  test('two uploads of the same report end as one would', async () => {
    const table = world.newOrganization();
    const report = codeScan(sarif(problems(40)));
    const ids = [await world.accept(table, report), await world.accept(table, report)];
    const deliveries = world.messages.splice(0).map((message) => world.deliver(message));
    await Promise.all(deliveries);
    await world.drain();
    const results = await Promise.all(ids.map(async (id) => (await world.task(table, id)).result));
    const createdFirst = results.toSorted((a, b) => Number(b?.created) - Number(a?.created));
    expect(createdFirst).toMatchObject([{ created: 40 }, { created: 0, unchanged: 40 }]);
    await expectSound(table);
  });

  test('of two scopes that find the same things never make them twice', async () => {
    const table = world.newOrganization();
    const report = sarif(problems(120));
    const ids = await Promise.all(
      ['quick', 'full', 'deep'].map((scanType) => world.accept(table, codeScan(report, { scanType }))),
    );
    await Promise.all(world.messages.splice(0).map((message) => world.deliver(message)));
    await world.drain();
    const results = await Promise.all(ids.map(async (id) => (await world.task(table, id)).result));
    const sum = (name: string) => results.reduce((total, result) => total + Number(result?.[name]), 0);
    expect({ created: sum('created'), unchanged: sum('unchanged') }).toEqual({ created: 120, unchanged: 240 });
    await expectSound(table);
  });

  test('a message that comes again after its task is finished changes nothing and wakes the task that waits', async () => {
    const table = world.newOrganization();
    await world.accept(table, codeScan(sarif(problems(2))));
    const message = world.messages[0];
    if (!message) throw new Error('no message');
    await world.drain();
    const before = await contents({ connections: world.connections, table });
    expect(await world.deliver(message)).toBe(true);
    expect(await contents({ connections: world.connections, table })).toEqual(before);
    expect(world.messages).toEqual([]);
  });
});

/** Without how often each was seen, which says how many reports there were. */
function withoutSightings(all: Awaited<ReturnType<typeof contents>>) {
  return { ...all, findings: all.findings.map(({ occurrences: _occurrences, ...finding }) => finding) };
}
