import { useEffect } from 'preact/hooks';
import { answerOf, client } from '../api/client.ts';
import type { FeedEntity } from '../api/types.ts';

const PAUSE_MS = 10_000;

/** The list is read again when the change feed has a change of its records. Nothing is asked while the page is hidden. */
export function useLive(entity: FeedEntity | undefined, refresh: () => void): void {
  useEffect(() => {
    if (!entity) return;
    let since: number | 'latest' = 'latest';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      if (!document.hidden) {
        const query = { since, entity: [entity], limit: 100 };
        const found = await answerOf(client.GET('/api/v1/changes', { params: { query } })).catch(() => undefined);
        if (found && !isOver) {
          since = found.next;
          if (found.data.length > 0) refresh();
        }
      }
      if (!isOver) timer = setTimeout(() => void look(), PAUSE_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [entity, refresh]);
}
