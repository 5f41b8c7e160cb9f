import { agentHandlers } from '#functions/scanning/agents/handlers.ts';
import { agentOf } from '#functions/scanning/link/machines.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { Agent, type AgentReport, agents, type LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { HEARTBEAT, IDLE, LIST, type World } from './machine-world.ts';
import type { BenchRow } from './report.ts';

const { reportAgent, listAgents, getAgentResources } = agentHandlers;
const DAY = 86_400;

/** Measures the reports of an agent, the history of a month, and the list of many agents. */
export async function measureAgents(world: World, elapse: (seconds: number) => void): Promise<BenchRow[]> {
  const agent = await makeAgent(world, 0);
  const rows = await measureReports(world, { agent, elapse });
  rows.push(...(await measureHistory(world, { agent, elapse })));
  return [...rows, ...(await measureLists(world))];
}

function makeAgent({ table }: World, n: number): Promise<LinkedAgent> {
  const linkable = agentOf(Agent.parse({ hostname: `web-${n}`, addresses: [`10.0.${n >> 8}.${n & 255}`] }), 'linux');
  return table.create(agents, linkable.draft({ name: `web-${n}`, instanceId: null, zone: null, groupIds: [] }));
}

const host = (n: number): AgentReport => ({
  version: '1.0.0',
  hostname: `web-${n}`,
  os: { family: 'linux', name: 'Debian GNU/Linux', version: '13', build: '6.12.0', architecture: 'x64' },
  addresses: [`10.0.${n >> 8}.${n & 255}`],
  macs: ['02:00:00:00:00:01'],
});

const sampleAt = (ms: number) => ({
  at: new Date(ms).toISOString(),
  cpuPercent: 12.5,
  memoryPercent: 40,
  diskPercent: 60,
  rxBytes: 120_000,
  txBytes: 40_000,
});

const software = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    name: `package-${n}`,
    version: `1.${n}`,
    purl: `pkg:deb/debian/p@1.${n}`,
  }));

type Subject = { agent: LinkedAgent; elapse: (seconds: number) => void };

async function measureReports({ row, mean, call }: World, { agent, elapse }: Subject): Promise<BenchRow[]> {
  const report = (more: AgentReport = {}) => reportAgent(call(agent, { body: { ...host(0), ...more } }));
  const sampled = () => report({ samples: [sampleAt(nowMs())] });
  // Moves to the start of an hour: only the last row crosses into the next one.
  elapse(3_600 - ((nowMs() / 1000) % 3_600));
  const rows = [
    await row({ operation: 'agent: first report, 800 packages', run: () => report({ software: software(800) }) }),
  ];
  await sampled();
  rows.push(await row({ operation: 'agent: report, nothing new', budget: IDLE, run: () => report() }));
  elapse(10);
  rows.push(await row({ operation: 'agent: report, a sample', run: sampled }));
  elapse(61);
  rows.push(await row({ operation: 'agent: report, nothing new, heartbeat', budget: HEARTBEAT, run: () => report() }));
  elapse(61);
  rows.push(await row({ operation: 'agent: report, a sample, heartbeat', run: sampled }));
  const changed = () => report({ software: software(801) });
  rows.push(await row({ operation: 'agent: report, software changed', run: changed }));
  const minute = async () => {
    elapse(60);
    await sampled();
  };
  rows.push(await mean({ operation: 'agent: two hours of reports by the minute, each', run: minute }, 120));
  return rows;
}

/** Measures the history of a month by the hour and of the last day by the minute. */
async function measureHistory({ row, call }: World, { agent, elapse }: Subject): Promise<BenchRow[]> {
  const report = (samples: AgentReport['samples']) => reportAgent(call(agent, { body: { samples } }));
  for (let hour = 0; hour < 31 * 24; hour++) {
    elapse(3_600);
    await report([sampleAt(nowMs())]);
  }
  const minutes = Array.from({ length: 1_440 }, (_, n) => sampleAt(nowMs() - n * 60_000));
  await report(minutes);
  const read = (resolution: string, days: number, points: number) => async () => {
    const from = new Date(nowMs() - days * DAY * 1000).toISOString();
    const history = await getAgentResources(call(agent, { params: { id: agent.id }, query: { from, resolution } }));
    if (history.points.length < points) throw new Error(`${history.points.length} points of ${resolution}`);
  };
  return [
    await row({ operation: 'agent: history of a day, by the minute', size: '1440', run: read('minute', 1, 1_430) }),
    await row({ operation: 'agent: history of a month, by the hour', size: '720', run: read('hour', 30, 719) }),
  ];
}

/** Measures the most expensive of several pages between the newest and the oldest. */
async function measureLists(world: World): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  let made = 1;
  for (const size of [100, 1_000]) {
    for (; made < size; made++) {
      const agent = await makeAgent(world, made);
      await reportAgent(world.call(agent, { body: host(made) }));
    }
    const page = (n: number) => {
      const paginateFrom = Math.floor((n / 7) * (size - 25));
      return listAgents(world.call({ id: 'bench' }, { query: { paginateFrom, paginateSize: 25 } }));
    };
    rows.push(await world.dearest({ operation: 'agents: list of 25', size: String(size), budget: LIST, run: page }, 8));
  }
  return rows;
}
