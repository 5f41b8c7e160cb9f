import { expect, test } from 'vitest';
import { hourAgo, minutesAgo, report, sample } from '../support/agents.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('the resource history is exact, and sending a report twice does not change it', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  const samples = [
    sample(hourAgo(2, 10), { cpuPercent: 90 }),
    sample(hourAgo(2, 20)),
    sample(hourAgo(1, 5)),
    { at: hourAgo(1, 6), cpuPercent: 10.5 },
    sample(minutesAgo(72 * 60)),
  ];
  const params = { id: agent.id };
  for (let n = 0; n < 2; n++) {
    expect(await report(agent, { samples })).toMatchObject({ accepted: { samples: 4 } });
    expect(await organization.admin.ok('getAgentResources', { params, query: { resolution: 'hour' } })).toEqual({
      agentId: agent.id,
      resolution: 'hour',
      points: [
        {
          at: hourAgo(2),
          cpuPercent: { avg: 55, max: 90 },
          memoryPercent: 40,
          diskPercent: 60,
          rxBytes: 2_000,
          txBytes: 1_000,
        },
        {
          at: hourAgo(1),
          cpuPercent: { avg: 15.25, max: 20 },
          memoryPercent: 40,
          diskPercent: 60,
          rxBytes: 1_000,
          txBytes: 500,
        },
      ],
    });
  }
  const query = { from: hourAgo(3), to: minutesAgo(-1) };
  const byMinute = await organization.admin.ok('getAgentResources', { params, query });
  expect(byMinute).toMatchObject({ resolution: 'minute', points: [{ at: hourAgo(2, 10) }, {}, {}, { rxBytes: null }] });
  const days = await organization.admin.ok('getAgentResources', {
    params,
    query: { from: minutesAgo(60 * 24 * 100), resolution: 'day' },
  });
  expect(days.points.reduce((sum, { rxBytes }) => sum + (rxBytes ?? 0), 0)).toBe(3_000);
});

test.each([
  ['an invalid time', { from: 'yesterday' }],
  ['a start after the end', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
  ['a resolution that is not kept', { resolution: 'second' }],
  ['an unknown parameter', { step: '5' }],
])('%s is refused instead of answered with an empty chart', async (_, query) => {
  const organization = await system.newOrganization();
  const { id } = await organization.machine('agent');
  const path = `/api/v1/security-operations/telemetry/agents/resources/${id}`;
  expect(await organization.admin.send('GET', path, { query })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});

test('a full inventory and two days of samples fit one report', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  const software = Array.from({ length: 10_000 }, (_, n) => ({
    name: `package-${n}`,
    version: `${n % 17}.${n % 5}.${n}`,
    purl: `pkg:deb/debian/package-${n}@${n % 17}.${n % 5}.${n}?arch=amd64`,
  }));
  const samples = Array.from({ length: 1_440 }, (_, n) => sample(minutesAgo(2 * n)));
  expect(await report(agent, { software, samples })).toMatchObject({ accepted: { samples: 1_440, software: 10_000 } });
  const params = { id: agent.id };
  const { points } = await organization.admin.ok('getAgentResources', {
    params,
    query: { from: minutesAgo(3_000), resolution: 'hour' },
  });
  expect(points.reduce((sum, { rxBytes }) => sum + (rxBytes ?? 0), 0)).toBe(1_440_000);
  const page = await organization.admin.ok('listAgentSoftware', { params, query: { paginateFrom: 9_999 } });
  expect(page).toMatchObject({ totalCount: 10_000, data: [{ name: 'package-9999' }] });
});
