import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { answerOf, client, type Refused } from '../../api/client.ts';
import { refusedBy } from '../../api/question.ts';
import { isOver, untilOver } from '../../api/task.ts';
import type { EventsExport } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { exactOf } from '../../parts/format.ts';
import { Failed } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const words = texts.detection.past;
const DAY_MS = 86_400_000;
const DAYS = [1, 7, 30];
const WAIT_SECONDS = 5;

type Asked = { content: string } | { rules: 'off' };

/** Rules are tried on the stored events: an estimate, a task that can be cancelled, and the events that match, or the rules that match some. */
export function Hunt({ asked, lead }: { asked: Asked; lead: string }) {
  const days = useSignal(7);
  const estimate = useSignal<string | undefined>(undefined);
  const task = useSignal<EventsExport | undefined>(undefined);
  const error = useSignal<Refused | undefined>(undefined);
  const from = () => new Date(Date.now() - days.value * DAY_MS).toISOString();
  const guarded = async (work: () => Promise<void>) => {
    error.value = undefined;
    await work().catch((refused: unknown) => {
      error.value = refusedBy(refused);
    });
  };
  const look = () =>
    guarded(async () => {
      const query = { from: from(), rules: 'rules' in asked ? asked.rules : ('one' as const) };
      const { events, seconds } = await answerOf(client.GET('/api/v1/siem/events/estimate', { params: { query } }));
      estimate.value = words.estimate(events, seconds);
    });
  const run = () =>
    guarded(async () => {
      const body = { ...asked, from: from(), format: 'jsonl' as const };
      const params = { query: { waitSeconds: 0 } };
      const { taskId } = await answerOf(client.POST('/api/v1/siem/events/export', { params, body }));
      const at = { params: { path: { taskId }, query: { waitSeconds: WAIT_SECONDS } } };
      const read = () => answerOf(client.GET('/api/v1/siem/events/export/{taskId}', at));
      await untilOver(read, (answer) => {
        task.value = answer;
      });
    });
  const cancel = (taskId: string) =>
    guarded(async () => {
      await answerOf(client.POST('/api/v1/siem/events/export/{taskId}/cancel', { params: { path: { taskId } } }));
    });
  const isBusy = task.value !== undefined && !isOver(task.value);
  return (
    <>
      <p class="soft">{lead}</p>
      <p class="actions">
        <select
          aria-label={words.days}
          value={days.value}
          onChange={({ currentTarget }) => {
            days.value = Number(currentTarget.value);
            estimate.value = undefined;
          }}
        >
          {DAYS.map((one) => (
            <option key={one} value={one}>
              {words.last(one)}
            </option>
          ))}
        </select>
        <button type="button" class="button" disabled={isBusy} onClick={() => void look()}>
          {words.look}
        </button>
        <button type="button" class="button main" disabled={isBusy} onClick={() => void run()}>
          {words.run}
        </button>
        {isBusy && task.value && (
          <button type="button" class="button" onClick={() => void cancel(task.value?.taskId ?? '')}>
            {words.cancel}
          </button>
        )}
      </p>
      <div aria-live="polite">
        {estimate.value && <p class="soft">{estimate.value}</p>}
        {error.value && <Failed error={error.value} />}
        {task.value && <Outcome task={task.value} />}
      </div>
    </>
  );
}

function Outcome({ task: { status, progress, error, file } }: { task: EventsExport }) {
  if (error) return <p class="overdue">{error.message}</p>;
  if (!file) return <p>{status === 'cancelled' ? words.cancelled : words.progress(progress.done, progress.total)}</p>;
  return (
    <>
      <p class="strong">{words.matched(file.events, file.looked)}</p>
      {file.rules && <MatchingRules rules={file.rules} />}
      <ul class="related">
        {file.newest.map(({ id, at, host, message }) => (
          <li key={id}>
            <Link href={`/logs?${new URLSearchParams({ from: at, to: justAfter(at), open: id })}`}>{message}</Link>
            <span class="soft small">{[host, exactOf(at)].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={file.url}>{words.file}</a>
      </p>
    </>
  );
}

type Rules = NonNullable<NonNullable<EventsExport['file']>['rules']>;

/** The rules with the most matches, each with the button that turns it on. */
function MatchingRules({ rules: { tried, matched, most } }: { rules: Rules }) {
  const on = useSignal<readonly string[]>([]);
  const turnOn = async (id: string) => {
    const body = { enabled: true };
    const request = client.PATCH('/api/v1/detection/rules/{id}', { params: { path: { id } }, body });
    if (!(await act(request, { done: texts.detection.switched(true) }))) on.value = [...on.value, id];
  };
  return (
    <>
      <p>{words.rules(matched, tried, most.length)}</p>
      <ul class="related">
        {most.map(({ ruleId, title, matches }) => (
          <li key={ruleId}>
            <Link href={`/detections/${ruleId}`}>{title}</Link>
            <span class="soft small">{matches === null ? words.tooExpensive : words.matches(matches)}</span>
            {on.value.includes(ruleId) ? (
              <span class="soft">{texts.detection.on}</span>
            ) : (
              <button type="button" class="link" onClick={() => void turnOn(ruleId)}>
                {texts.detection.switchOn}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const justAfter = (at: string): string => new Date(Date.parse(at) + 1).toISOString();
