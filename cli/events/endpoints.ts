import type { Command } from 'commander';
import { answerOf, type Schemas } from '../client.ts';
import type { Act } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit, Failure } from '../errors.ts';
import { numberFrom } from '../numbers.ts';
import { separated } from '../several.ts';
import { tablePages } from '../table.ts';
import { type Matching, matchingOf, matchingOption } from './matching.ts';

const path = '/api/v1/webhook-endpoints';
const one = `${path}/{id}` as const;
const at = (id: string) => ({ params: { path: { id } } });

/** `exposure webhooks list|add|test|rotate|again|remove` */
export function defineEndpoints(command: Command, act: Act): void {
  command.command('list').description('list webhook endpoints, newest first').action(act(list));
  matchingOption(command.command('add'))
    .description('have events sent to an address; only this answer shows the secret of the signatures')
    .argument('<address>', 'takes a POST for each event, such as https://hooks.example.com/exposure')
    .option('--name <name>', 'a name for people (default: the host of the address)')
    .option('--types <names>', 'only events of these types, such as finding.created,incident.*', separated)
    .action(act(add));
  command.command('test').description('send a test event to an endpoint now').argument('<id>').action(act(test));
  command
    .command('rotate')
    .description('print another secret of an endpoint; for a day requests are signed by both')
    .argument('<id>')
    .action(act(rotate));
  command
    .command('again')
    .description('send the events behind a number again')
    .argument('<id>')
    .argument('<sequence>', 'the number of the last event that the receiver has', numberFrom(0, 1e15))
    .action(act(again));
  command.command('remove').description('remove endpoints').argument('<ids...>').action(act(remove));
}

const COLUMNS = { columns: ['status', 'name', 'url', 'types', 'error.message', 'id'], wide: ['url', 'types'] };

async function list(context: Context): Promise<Exit> {
  const client = await context.client();
  const { data } = await answerOf(client.GET(path, { params: { query: { paginateSize: 100 } } }));
  if (context.options.json) context.print(JSON.stringify(data));
  else await context.write(tablePages(context, COLUMNS)(data));
  return EXIT.passed;
}

type Added = Matching & { name?: string; types?: string[] };

/** Prints the secret alone, so that a script can pass it on; the rest goes to the messages. */
async function add(context: Context, url: string, { name, types = [], ...matching }: Added): Promise<Exit> {
  const client = await context.client();
  const body = { name: name ?? URL.parse(url)?.host ?? url, url, types, matching: matchingOf(matching) };
  const made = await answerOf(client.POST(path, { body }));
  printSecret(context, made);
  context.note(`Events are sent to ${made.url}. The id of the endpoint: ${made.id}`, 'done');
  return EXIT.passed;
}

const printSecret = (context: Context, made: { webhookSecret: string }): void =>
  context.print(context.options.json ? JSON.stringify(made) : made.webhookSecret);

async function test(context: Context, id: string): Promise<Exit> {
  const client = await context.client();
  const attempt: Schemas['DeliveryAttempt'] = await answerOf(client.POST(`${one}/test`, at(id)));
  if (context.options.json) context.print(JSON.stringify(attempt));
  if (attempt.error) throw new Failure(EXIT.gateFailed, attempt.error);
  context.note(`It answers ${attempt.status} after ${attempt.milliseconds} ms.`, 'done');
  return EXIT.passed;
}

async function rotate(context: Context, id: string): Promise<Exit> {
  const client = await context.client();
  printSecret(context, await answerOf(client.POST(`${one}/secret`, { ...at(id), body: {} })));
  return EXIT.passed;
}

async function again(context: Context, id: string, sequence: number): Promise<Exit> {
  const client = await context.client();
  await answerOf(client.POST(`${one}/again`, { ...at(id), body: { since: sequence } }));
  context.note(`The events behind ${sequence} are sent again`, 'done');
  return EXIT.passed;
}

async function remove(context: Context, ids: string[]): Promise<Exit> {
  const client = await context.client();
  for (const id of ids) {
    await answerOf(client.DELETE(one, at(id)));
    context.note(`removed ${id}`);
  }
  return EXIT.passed;
}
