import { useEffect } from 'preact/hooks';
import { answerOf, client } from '../api/client.ts';
import { question } from '../api/question.ts';
import { texts } from '../texts.ts';

const useUnread = question(() => answerOf(client.GET('/api/v1/notifications', { params: { query: { limit: 1 } } })));

const EVERY_MS = 60_000;

/** The number of unread notifications, which is asked for again while the page is in view. */
export function Unread() {
  const { data, ask } = useUnread('');
  useEffect(() => {
    const again = setInterval(() => document.visibilityState === 'visible' && ask(), EVERY_MS);
    return () => clearInterval(again);
  }, [ask]);
  const amount = data?.unread ?? 0;
  return amount > 0 ? (
    <span class="unread-count" title={texts.screens.unread}>
      {amount}
    </span>
  ) : null;
}
