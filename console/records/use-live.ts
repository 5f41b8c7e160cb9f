import { useEffect } from 'preact/hooks';
import { answerOf, client } from '../api/client.ts';
import { atSignOut } from '../api/question.ts';
import type { FeedEntity } from '../api/types.ts';

const PAUSE_MS = 10_000;
/** A list that opens so soon after the last look goes on from there, and asks nothing yet. */
const RECENT_MS = 30_000;

/** The position of the feed after the last look of any list. */
let last: { position: number; at: number } | undefined;
atSignOut(() => {
  last = undefined;
});

/** A page is read again when the change feed has a change of its records. Nothing is asked while the page is hidden. */
export function useLive(of: FeedEntity | readonly FeedEntity[] | undefined, refresh: () => void): void {
  useEffect(() => {
    if (!of) return;
    const entity = typeof of === 'string' ? [of] : [...of];
    const known = last && last.at + RECENT_MS > Date.now() ? last.position : undefined;
    let since: number | 'latest' = known ?? 'latest';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      if (!document.hidden) {
        const query = { since, entity, limit: 100 };
        const found = await answerOf(client.GET('/api/v1/changes', { params: { query } })).catch(() => undefined);
        if (found && !isOver) {
          since = found.next;
          last = { position: since, at: Date.now() };
          if (found.data.length > 0) refresh();
        }
      }
      if (!isOver) timer = setTimeout(() => void look(), PAUSE_MS);
    };
    if (known === undefined) void look();
    else timer = setTimeout(() => void look(), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [of, refresh]);
}
