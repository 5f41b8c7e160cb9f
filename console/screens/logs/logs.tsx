import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import '../../style/logs.css';
import { client } from '../../api/client.ts';
import type { LogEvent } from '../../api/types.ts';
import { isTyping } from '../../filter/filter-bar.tsx';
import { exactOf } from '../../parts/format.ts';
import { SeverityMark } from '../../parts/marks.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useEvery } from '../../parts/use-every.ts';
import { type ExportKind, exportList } from '../../records/export.ts';
import { logs as words } from '../../texts/logs.ts';
import { texts } from '../../texts.ts';
import { type Asked, queryOf, useAsked } from './asked.ts';
import { EventDrawer } from './event-drawer.tsx';
import { Filters, Times, useSources } from './filters.tsx';
import { Histogram } from './histogram.tsx';
import { type LogSearch, makeSearch } from './search.ts';
import { TopValues } from './values.tsx';
import { VIEWS } from './views.ts';

/** The search in the events of logs: filters, their number by time, and the events, newest first. */
function Logs() {
  const asked = useAsked();
  const age = useSignal(0);
  const begun = useMemo(() => makeSearch(asked.about), [asked.about, age.value]);
  useEffect(() => void begun.more(), [begun]);
  const again = () => {
    age.value += 1;
  };
  const isLive = useSignal(false);
  const canBeLive = !asked.hasTimes;
  const search = useLatest(begun, asked.about, isLive.value && canBeLive);
  const { last, buckets, error } = search;
  const total = buckets.value.reduce((sum, { count }) => sum + count, 0);
  const found = last.value;
  const isWhole = found?.histogram.isComplete || found?.cursor === null;
  return (
    <div class="page logs">
      <div class="records-title">
        <h1>{texts.screens.logs}</h1>
        <span class="total" aria-live="polite">
          {found && (isWhole ? words.found(total) : words.atLeast(total))}
        </span>
        <span class="soft small keys">{words.keys}</span>
        <span class="actions">
          {canBeLive && (
            <button
              type="button"
              class="button"
              aria-pressed={isLive.value}
              title={words.liveHint}
              onClick={() => {
                isLive.value = !isLive.value;
              }}
            >
              {words.live}
            </button>
          )}
          <button
            type="button"
            class="button"
            onClick={() => void exportList(EXPORT, new URLSearchParams(queryOf(asked.about)).toString())}
          >
            {words.export}
          </button>
        </span>
      </div>
      <Tabs label={words.views} tabs={VIEWS} />
      <Filters asked={asked} again={again} />
      {error.value && <Failed error={error.value} again={again} />}
      {!found && !error.value && <Loading lines={9} />}
      {found && (
        <>
          <Times asked={asked} from={found.from} to={found.to} />
          {total > 0 && <Histogram buckets={buckets.value} found={found} total={total} choose={asked.change} />}
          {total > 0 && <TopValues asked={asked} />}
          <Found search={search} asked={asked} />
        </>
      )}
    </div>
  );
}

const LIVE_MS = 3_000;

/** The search, or while it is live one that began later and has its first events. */
function useLatest(begun: LogSearch, about: string, isLive: boolean): LogSearch {
  const latest = useSignal({ begun, search: begun });
  const look = useCallback(() => {
    const next = makeSearch(about);
    void next.more().then(() => {
      latest.value = { begun, search: next };
    });
  }, [begun, about, latest]);
  useEvery(isLive ? LIVE_MS : undefined, look);
  return isLive && latest.value.begun === begun ? latest.value.search : begun;
}

const EXPORT: ExportKind = {
  start: (filter, waitSeconds) =>
    client.POST('/api/v1/siem/events/export', {
      params: { query: { waitSeconds } },
      body: { ...filter, format: 'csv' },
    }),
  read: (taskId, waitSeconds) =>
    client.GET('/api/v1/siem/events/export/{taskId}', { params: { path: { taskId }, query: { waitSeconds } } }),
};

type FoundProps = { search: LogSearch; asked: Asked };

function Found({ search: { events, last, isAsking, more }, asked }: FoundProps) {
  const rows = events.value;
  const open = rows.find(({ id }) => id === asked.open);
  const show = (id: string | undefined) => asked.change({ open: id });
  const canGoOn = last.value?.cursor !== null;
  return (
    <>
      {rows.length > 0 && <Events rows={rows} open={open?.id} show={show} />}
      {rows.length === 0 && !canGoOn && <Nothing isFiltered={asked.isFiltered} />}
      {(canGoOn || rows.length > 0) && (
        <p class="log-foot soft">
          <span>{canGoOn ? words.partly : words.whole}</span>
          {canGoOn && (
            <button type="button" class="button" disabled={isAsking.value} onClick={() => void more()}>
              {isAsking.value ? words.going : rows.length > 0 ? words.more : words.on}
            </button>
          )}
        </p>
      )}
      {open && <EventDrawer event={open} asked={asked} close={() => show(undefined)} />}
    </>
  );
}

/** Nothing fits, or nothing was ever sent. */
function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { data } = useSources('');
  if (!isFiltered && data?.totalCount === 0)
    return <Empty icon="logs" title={words.noneYet} hint={words.noneYetHint} />;
  return <Empty icon="search" title={words.none} hint={words.noneHint} />;
}

type EventsProps = { rows: readonly LogEvent[]; open: string | undefined; show: (id: string) => void };

function Events({ rows, open, show }: EventsProps) {
  const list = useRef<HTMLUListElement>(null);
  useMoves(list, (id) => open && show(id));
  return (
    <ul ref={list} class="events" aria-label={words.list}>
      {rows.map(({ id, at, severity, host, message }) => (
        <li key={id}>
          <button
            type="button"
            class="event"
            data-id={id}
            aria-current={open === id ? 'true' : undefined}
            onClick={() => show(id)}
          >
            <time dateTime={at}>{exactOf(at)}</time>
            <SeverityMark severity={severity} />
            <span class="cut">{host ?? '–'}</span>
            <span class="event-text">{message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** `j` and `k` go through the events, also while one is open. */
function useMoves(list: { current: HTMLUListElement | null }, moved: (id: string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (!step || isTyping(event)) return;
      const all = [...(list.current?.querySelectorAll<HTMLButtonElement>('.event') ?? [])];
      const now = all.findIndex((one) => one === document.activeElement || one.getAttribute('aria-current'));
      const next = all[Math.max(0, Math.min(all.length - 1, now + step))];
      next?.focus();
      if (next?.dataset.id) moved(next.dataset.id);
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [moved]);
}

export const parts = { List: Logs };
