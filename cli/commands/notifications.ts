import { answerOf, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { ofPerson } from '../events/person.ts';
import { defineSubscriptions } from '../events/subscriptions.ts';
import { numberFrom } from '../numbers.ts';
import { oneLine } from '../texts.ts';

type Notification = Schemas['Notification'];

/** `exposure notifications list|read`, and the commands of subscriptions */
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
  defineSubscriptions(command, act);
};

function shown({ colours }: Context, { id, readAt, createdAt, reason, count, lines }: Notification): string {
  const head = `${readAt ? ' ' : '*'} ${createdAt} ${oneLine(reason)} (${count}) ${colours.dim(id)}`;
  return [head, ...lines.map(({ text }) => `    ${oneLine(text)}`)].join('\n');
}
