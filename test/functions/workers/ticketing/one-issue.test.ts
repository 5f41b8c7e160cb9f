import { afterAll, expect, test } from 'vitest';
import { sealWrite } from '#shared/credentials/sealed.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { findingComments } from '#shared/findings/finding/finding-comment.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { listDeliveries } from '#shared/platform/outgoing/delivery-list.ts';
import { now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { openNetwork } from '#shared/platform/runtime/network.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingKey } from '#shared/ticketing/keys.ts';
import { openTicket } from '#shared/ticketing/open-ticket.ts';
import { queueTicketSync } from '#shared/ticketing/queue-sync.ts';
import { type StoredTicket, tickets } from '#shared/ticketing/ticket.ts';
import { ticketComments } from '#shared/ticketing/ticket-comment.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import type { Reply } from '../../../support/code-hosts/server.ts';
import {
  CALM,
  type Plan,
  planOf,
  redriveAll,
  seeds,
  startFaultyWorld,
  upTo,
  workAll,
} from '../../../support/fault-plan.ts';
import { giveSealingKey } from '../../../support/integrations.ts';
import { JIRA_TOKEN, MAIL, startJira } from '../../../support/jira/server.ts';
import { expectExact } from '../../../support/verify.ts';
import { addFinding } from '../../../support/vulnerabilities.ts';

const world = await startFaultyWorld();
const jira = await startJira();
afterAll(async () => {
  setClock();
  await Promise.all([world.stop(), jira.stop()]);
});
giveSealingKey(world.connections);
Object.assign(world.connections, { network: openNetwork({ CODE_HOSTS_PRIVATE: '1' }) });

const REFUSALS: Reply[] = [
  { status: 502, body: {} },
  { status: 429, headers: { 'retry-after': '30' }, body: {} },
  { status: 503, headers: { 'retry-after': '5' }, body: {} },
];

async function makeConnection(table: Table): Promise<TicketingConnection> {
  const [id = ''] = await table.reserve(ticketingConnections, 1);
  const batch = table.batch();
  const state = { status: 'connected', error: null, access: 'token', enabled: true, edition: 'cloud' } as const;
  const times = { lastDeliveryAt: null, lastSyncAt: null, polledAt: null, pollAt: null, secretUpdatedAt: now() };
  const named = { id, name: 'Jira', baseUrl: jira.url, account: MAIL };
  const connection = batch.create(ticketingConnections, table.stamp({ ...named, ...state, ...times }));
  const secret = { webhook: 'whsec_x', access: { token: JIRA_TOKEN } };
  batch.write(await sealWrite({ connections: world.connections, table }, { purpose: 'integration', id, secret }));
  await batch.commit();
  return connection;
}

type Scene = { table: Table; connection: TicketingConnection; finding: StoredFinding };
const place = ({ table }: Scene) => ({ connections: world.connections, table });
const template = { project: 'SEC', issueType: 'Task', labels: [], priorities: {}, fields: {} };

function open(scene: Scene) {
  const { connection, finding } = scene;
  const about = {
    key: findingKey(finding.id),
    title: finding.title,
    severity: finding.severity,
    status: finding.status,
  };
  const subject = { type: 'finding' as const, id: finding.id };
  return openTicket(place(scene), { subject, about, connectionId: connection.id, ruleId: null, template });
}

const issuesOf = ({ finding }: Scene) => jira.issues.filter(({ fields }) => fields.summary.includes(finding.title));

async function ticketIn({ table }: Scene): Promise<StoredTicket | undefined> {
  return (await table.list(tickets, { paginateFrom: 0, paginateSize: 10 })).data[0];
}

/** Something happens here or in Jira. */
async function happen(scene: Scene, plan: Plan): Promise<void> {
  const { table, finding } = scene;
  const [issue] = issuesOf(scene);
  const text = `word ${plan.random()}`;
  const events = [
    () => open(scene),
    () => table.create(findingComments, { findingId: finding.id, text, mentions: [] }),
    async () => issue && jira.say(issue.key, text),
    async () => {
      const { data } = await table.list(findingComments, { paginateFrom: 0, paginateSize: 1 });
      const own = data.find(({ createdBy }) => createdBy.id !== 'ticketing');
      if (own) await table.modify(findingComments, own.id, () => ({ text }));
    },
    async () => {
      const said = issue?.comments.find(({ author }) => author === 'Jane Doe');
      if (issue && said) jira.edit(issue.key, said.id, text);
    },
    async () => issue && jira.move(issue.key, (['To Do', 'In Progress', 'Done'] as const)[upTo(plan, 3)] ?? 'Done'),
    () =>
      table.modify(findings, finding.id, ({ status }) => ({
        status: isOpen(status) ? ('fixed' as const) : ('open' as const),
      })),
  ];
  await world.call(plan, async () => events[upTo(plan, events.length)]?.());
}

async function sync(scene: Scene, plan: Plan): Promise<void> {
  const ticket = await ticketIn(scene);
  if (ticket) await world.call(plan, () => queueTicketSync(place(scene), ticket.id));
}

/** Everything that waits is due, until nothing changes any more. */
async function settle(scene: Scene, plan: Plan): Promise<void> {
  for (let waits = 0; waits < 6; waits++) {
    const later = nowMs() + 3 * 3_600_000;
    setClock(() => later);
    await sync(scene, CALM);
    await redriveAll(world, plan);
  }
}

test.each(seeds)(
  'plan %i: a finding has one issue that ends as it stands, and each comment once, however often answers are lost and workers die',
  async (seed) => {
    const plan = planOf(seed);
    jira.lagMs = 20_000;
    const table = world.newOrganization();
    world.begin(CALM);
    const finding = await addFinding(table, { title: `Weak cipher ${seed} ${nowMs()}`, severity: 'high' });
    const scene = { table, connection: await makeConnection(table), finding };
    await open(scene);
    for (let round = 0; round < 4; round++) {
      jira.loseAnswers = upTo(plan, 3);
      jira.fail(...REFUSALS.filter(() => plan.random() < 0.3));
      world.begin(plan);
      for (let n = upTo(plan, 5); n >= 0; n--) await happen(scene, plan);
      await sync(scene, plan);
      await workAll(world, plan);
    }
    jira.loseAnswers = 0;
    await settle(scene, plan);

    const [issue, ...others] = issuesOf(scene);
    expect(others).toEqual([]);
    const ticket = await ticketIn(scene);
    expect(ticket).toMatchObject({ issueKey: issue?.key, issueStatus: issue?.status, error: null });
    // a person may have moved the issue after its finding was closed: the next change of the finding moves it again
    for (const status of ['open', 'fixed'] as const) {
      await table.modify(findings, finding.id, () => ({ status }));
      await settle(scene, plan);
      expect(await ticketIn(scene)).toMatchObject({ subjectStatus: status });
    }
    expect(issue?.status).toBe('Done');
    const page = { paginateFrom: 0, paginateSize: 500 };
    const here = (await table.list(findingComments, page)).data.map(({ text }) => text).toSorted();
    const words = (body: unknown) => /word [\d.]+/.exec(JSON.stringify(body))?.[0];
    const there = issue?.comments.flatMap(({ body }) => words(body) ?? []).toSorted();
    expect(there).toEqual(here);
    world.begin(CALM);
    // what Jira has is sent, though its answer was lost
    const { data: uncertain } = await listDeliveries(table, { limit: 500, status: ['pending', 'failed'] });
    expect(uncertain).toEqual([]);
    await expectExact(table, [tickets, ticketComments, ticketingConnections, findings]);
  },
  120_000,
);
