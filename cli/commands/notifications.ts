import { answerOf, type Client, Refused, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../errors.ts';
import { numberFrom } from '../numbers.ts';
import { oneLine } from '../texts.ts';

type Notification = Schemas['Notification'];

/** `exposure notifications list` and `exposure notifications read` */
export const define: Define = (command, act) => {
  command
    .command('list')
    .description('print your notifications, unread ones first')
    .option('--limit <number>', 'at most so many', numberFrom(1, 100), 20)
    .action(
      act(async (context, { limit }: { limit: number }) => {
        const { data, unread } = await ofPerson(context, (client) =>
          answerOf(client.GET('/api/v1/notifications', { params: { query: { limit } } })),
        );
        for (const one of data) context.print(context.options.json ? JSON.stringify(one) : shown(context, one));
        context.note(`${unread} unread`);
        return undefined;
      }),
    );
  command
    .command('read')
    .description('mark notifications as read: these, or the newest hundred')
    .argument('[ids...]', 'ids of notifications')
    .action(
      act(async (context, ids: string[]) => {
        const body = ids.length > 0 ? { ids } : {};
        const marked = await ofPerson(context, (client) =>
          answerOf(client.POST('/api/v1/notifications/read', { body })),
        );
        context.note(`${marked.ids.length} marked as read`, 'done');
        return undefined;
      }),
    );
};

/** Asks as a person. No scope of a key is the way to an inbox. */
async function ofPerson<T>(context: Context, ask: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await ask(await context.client());
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'insufficient_scope') throw error;
    const { url } = await context.access();
    const elsewhere = context.env.EXPOSURE_KEY ? ' and unset EXPOSURE_KEY, which wins over profiles' : '';
    const next = `Sign in as a person with "exposure login --url ${url}"${elsewhere}.`;
    throw new Failure(EXIT.credentials, 'A key has no inbox: notifications are for people.', next);
  }
}

function shown({ colours }: Context, { id, readAt, createdAt, reason, count, lines }: Notification): string {
  const head = `${readAt ? ' ' : '*'} ${createdAt} ${oneLine(reason)} (${count}) ${colours.dim(id)}`;
  return [head, ...lines.map(({ text }) => `    ${oneLine(text)}`)].join('\n');
}
