import { afterAll, afterEach, expect, test } from 'vitest';
import { queueRescoring } from '#functions/workers/advisories/notify.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { publishFacts } from '../../../support/published-facts.ts';
import { goToDay } from '../imports/days.ts';
import { allFindings, expectSound } from '../imports/expectations.ts';
import { codeScan, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());
const { connections } = world;

const KNOWN = 'CVE-2021-44228';
const NEW = 'CVE-2019-0708';
const report = (...cves: string[]) => codeScan(sarif(cves.map((rule) => ({ rule, file: 'pom.xml' }))));

/** Rates all findings anew. @returns the whole history of each, in words */
async function rescored(table: Table): Promise<Record<string, unknown[]>> {
  await queueRescoring({ connections, table }, { all: true });
  await world.drain();
  const all = await allFindings({ connections, table });
  const histories = await Promise.all(all.map(({ id }) => table.rows(findingHistory).query(id)));
  return Object.fromEntries(all.map(({ ruleId }, n) => [ruleId, histories[n]?.map(({ reason }) => reason) ?? []]));
}

const exploited = expect.stringMatching(/known to be exploited \(CISA KEV\)/);
const chance = expect.stringMatching(/exploited moved \(FIRST EPSS\)/);
const anew = 'Its priority was computed again.';

test('the history of a finding says which feed moved it', async () => {
  const table = world.newOrganization();
  await publishFacts(connections, { [KNOWN]: 0.9, [NEW]: 0.2 }, [KNOWN]);
  await world.ingest(table, report(KNOWN, NEW));
  expect(await rescored(table)).toEqual({ [KNOWN]: [], [NEW]: [] });
  await publishFacts(connections, { [KNOWN]: 0.8, [NEW]: 0.3 }, [KNOWN, NEW]);
  expect(await rescored(table)).toEqual({ [KNOWN]: [chance], [NEW]: [exploited] });
  await publishFacts(connections, { [KNOWN]: 0.8, [NEW]: 0.3 }, [NEW]);
  expect(await rescored(table)).toEqual({ [KNOWN]: [chance, anew], [NEW]: [exploited] });
  expect(await allFindings({ connections, table })).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ruleId: KNOWN, epss: 0.8, kev: false }),
      expect.objectContaining({ ruleId: NEW, epss: 0.3, kev: true }),
    ]),
  );
  await expectSound(table);
});

test('the history of a finding says that its due date has passed, once, and what its asset is worth later', async () => {
  const table = world.newOrganization();
  const value = async (criticality: 'high' | 'critical') => {
    const [asset] = (await table.list(assets, { paginateFrom: 0, paginateSize: 1 })).data;
    await table.modify(assets, asset?.id ?? '', () => ({ criticality }));
  };
  goToDay(0);
  await world.ingest(table, report('sqli'));
  await value('high');
  expect(await rescored(table)).toEqual({ sqli: [anew] });
  goToDay(31);
  const late = 'Its due date has passed.';
  expect(await rescored(table)).toEqual({ sqli: [anew, late] });
  await value('critical');
  expect(await rescored(table)).toEqual({ sqli: [anew, late, anew] });
});
