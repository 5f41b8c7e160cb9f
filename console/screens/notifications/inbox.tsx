import { Link } from 'wouter-preact';
import '../../style/notifications.css';
import { answerOf, client } from '../../api/client.ts';
import { askAgain, question, refusedBy } from '../../api/question.ts';
import type { Notification } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import { notifications as words } from '../../texts/notifications.ts';

const SUBSCRIPTIONS = '/administration/notifications';

const useInbox = question((limit) =>
  answerOf(client.GET('/api/v1/notifications', { params: { query: { limit: Number(limit) } } })),
);

const MAX_SHOWN = 100;

const unread = (ids: string[]) => answerOf(client.POST('/api/v1/notifications/unread', { body: { ids } }));

/** Marks notifications as read, and offers to take that back. */
async function read(ids?: string[]): Promise<void> {
  try {
    const marked = await answerOf(client.POST('/api/v1/notifications/read', { body: ids ? { ids } : {} }));
    notify(words.marked, { action: { label: words.undo, run: () => void unread(marked.ids).then(askAgain) } });
    askAgain();
  } catch (error) {
    notify(refusedBy(error).message, { isError: true });
  }
}

function Inbox() {
  const { data, error, ask } = useInbox(String(MAX_SHOWN));
  return (
    <div class="page">
      <header class="inbox-head">
        <h1>{words.inbox}</h1>
        {data && data.unread > 0 && (
          <button type="button" class="button" onClick={() => void read()}>
            {words.readAll}
          </button>
        )}
      </header>
      <p class="soft">
        {data && words.unread(data.unread)} <Link href={SUBSCRIPTIONS}>{words.choose}</Link>
      </p>
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={6} />}
      {data?.data.length === 0 && <Empty icon="bell" title={words.none} hint={words.noneHint} />}
      <ul class="inbox">
        {data?.data.map((one) => (
          <Entry key={one.id} notification={one} />
        ))}
      </ul>
    </div>
  );
}

function Entry({
  notification: { id, reason, count, lines, createdAt, readAt, subscriptionId },
}: {
  notification: Notification;
}) {
  return (
    <li class={readAt ? 'inbox-entry' : 'inbox-entry unread'}>
      <p class="inbox-title">
        <strong>{subscriptionId ? reason : words.named}</strong> <span class="soft small">{agoOf(createdAt)}</span>
        {readAt ? (
          <Act label={words.asUnread} done={words.marked} run={() => unread([id])} />
        ) : (
          <button type="button" class="link" onClick={() => void read([id])}>
            {words.read}
          </button>
        )}
      </p>
      <ul>
        {lines.map(({ eventId, text, page }) => (
          <li key={eventId}>{page ? <Link href={page}>{text}</Link> : text}</li>
        ))}
        {count > lines.length && <li class="soft">{words.more(count - lines.length)}</li>}
      </ul>
    </li>
  );
}

export const parts = { List: Inbox };
