import { answerOf, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { numberFrom } from '../numbers.ts';
import { separated } from '../several.ts';
import { oneLine } from '../texts.ts';

type Delivery = Schemas['SentDelivery'];
type Listed = {
  limit: number;
  state?: Delivery['status'][];
  channel?: Delivery['channel'][];
  type?: string[];
  target?: string;
  filter?: string;
};

const path = '/api/v1/deliveries/{targetId}/{deliveryId}';

/** `exposure deliveries list|show|resend|recover|simulate` */
export const define: Define = (command, act) => {
  command
    .command('list')
    .description('print what was sent to webhooks, chats, people, Jira and code hosts, newest first')
    .option('--state <states>', 'only these: pending, sent, failed, dead, skipped, simulated', separated)
    .option('--channel <channels>', 'only these: webhook, email, inbox, slack, teams, jira, code_host', separated)
    .option('--type <types>', 'only events of these types, such as finding.created,incident.*', separated)
    .option('--target <id>', 'only to this endpoint, subscription or connection')
    .option('--filter <filter>', 'only what fits, such as "about:finding sent:7d -status:skipped"')
    .option('--limit <number>', 'at most so many', numberFrom(1, 100), 20)
    .action(act(list));
  command
    .command('show')
    .description('print what was sent, with each attempt')
    .argument('<target>', 'id of the endpoint, subscription or connection')
    .argument('<id>', 'id of the delivery')
    .action(act(show));
  command
    .command('resend')
    .description('send a delivery again, with the same id')
    .argument('<target>', 'id of the endpoint, subscription or connection')
    .argument('<id>', 'id of the delivery')
    .action(act(resend));
  command
    .command('recover')
    .description('send all deliveries to a target again that failed since a time')
    .argument('<target>', 'id of the endpoint, subscription or connection')
    .requiredOption('--since <time>', 'such as 2026-01-15T08:00:00Z')
    .action(act(recover));
  command
    .command('simulate')
    .description('print what an endpoint or a subscription would get of the last week, without a call')
    .argument('<target>', 'id of the endpoint or subscription')
    .option('--limit <number>', 'at most so many events', numberFrom(1, 50), 10)
    .action(act(simulate));
};

async function list(context: Context, { limit, state: status, channel, type, target: targetId, filter }: Listed) {
  const client = await context.client();
  const query = { limit, ...(status && { status }), ...(channel && { channel }), ...(type && { type }) };
  const asked = { params: { query: { ...query, ...(targetId && { targetId }), ...(filter && { filter }) } } };
  const { data, next } = await answerOf(client.GET('/api/v1/deliveries', asked));
  for (const one of data) context.print(context.options.json ? JSON.stringify(one) : shown(context, one));
  if (next !== null) context.note('There are more: choose with --state, --type, --target or --filter.');
  return undefined;
}

async function show(context: Context, targetId: string, deliveryId: string): Promise<undefined> {
  const client = await context.client();
  const found = await answerOf(client.GET(path, { params: { path: { targetId, deliveryId } } }));
  context.print(JSON.stringify(found, null, context.options.json ? 0 : 2));
}

async function resend(context: Context, targetId: string, deliveryId: string): Promise<undefined> {
  const client = await context.client();
  await answerOf(client.POST(`${path}/resend`, { params: { path: { targetId, deliveryId } } }));
  context.note('It is sent again', 'done');
}

async function recover(context: Context, targetId: string, { since }: { since: string }): Promise<undefined> {
  const client = await context.client();
  let [queued, skipped] = [0, 0];
  for (let from: string | null = since; from !== null; ) {
    const body = { targetId, since: from };
    const sent: Schemas['RecoveredDeliveries'] = await answerOf(client.POST('/api/v1/deliveries/recover', { body }));
    queued += sent.queued;
    skipped += sent.skipped;
    from = sent.next;
  }
  context.note(`${queued} sent again, ${skipped} cannot be sent again`, 'done');
}

async function simulate(context: Context, targetId: string, { limit }: { limit: number }): Promise<undefined> {
  const client = await context.client();
  const { data } = await answerOf(client.POST('/api/v1/deliveries/simulate', { body: { targetId, limit } }));
  for (const one of data) context.print(context.options.json ? JSON.stringify(one) : shown(context, one));
  context.note(`${data.length} in the ledger; nothing was sent`);
}

function shown({ colours }: Context, { targetId, id, channel, type, subject, status, attempts, createdAt }: Delivery) {
  const problem = attempts.at(-1)?.error;
  const head = `${createdAt} ${status.padEnd(9)} ${channel.padEnd(9)} ${oneLine(type)} ${oneLine(subject)}`;
  return `${head} ${colours.dim(`${targetId} ${oneLine(id)}`)}${problem ? `\n    ${oneLine(problem)}` : ''}`;
}
