import { useSignal } from '@preact/signals';
import { answerOf, client, type Refused } from '../../api/client.ts';
import { refusedBy } from '../../api/question.ts';
import type { DetectionTest, DetectionTestResult } from '../../api/types.ts';
import { Section } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const words = texts.detection.bench;

const EXAMPLE = JSON.stringify([{ host: 'ws-042', message: 'powershell.exe -enc SQBFAFgA' }], null, 2);

/** The events that a person typed. @returns undefined: the text is no array */
function eventsOf(text: string): DetectionTest['events'] | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** A rule is tried on events before it works. */
export function TestBench({ content }: { content: string }) {
  const rule = useSignal(content);
  const events = useSignal(EXAMPLE);
  const found = useSignal<DetectionTestResult | undefined>(undefined);
  const error = useSignal<Refused | undefined>(undefined);
  const isBad = useSignal(false);
  const run = async (event: Event) => {
    event.preventDefault();
    const parsed = eventsOf(events.value);
    isBad.value = parsed === undefined;
    found.value = undefined;
    error.value = undefined;
    if (!parsed) return;
    const body = { content: rule.value, events: parsed };
    try {
      found.value = await answerOf(client.POST('/api/v1/detection/rules/test', { body }));
    } catch (refused) {
      error.value = refusedBy(refused);
    }
  };
  return (
    <Section title={words.title}>
      <p class="soft">{words.lead}</p>
      <form class="save-view" onSubmit={(event) => void run(event)}>
        <label>
          <span>{words.rule}</span>
          <textarea
            class="code"
            rows={10}
            value={rule.value}
            onInput={({ currentTarget }) => {
              rule.value = currentTarget.value;
            }}
          />
        </label>
        <label>
          <span>{words.events}</span>
          <textarea
            class="code"
            rows={7}
            value={events.value}
            onInput={({ currentTarget }) => {
              events.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="button main">
          {words.run}
        </button>
      </form>
      <div aria-live="polite">
        {isBad.value && <p class="overdue">{words.badEvents}</p>}
        {error.value && <Failed error={error.value} />}
        {found.value && <Result result={found.value} />}
      </div>
    </Section>
  );
}

const Result = ({ result: { errors, events, alerts } }: { result: DetectionTestResult }) => (
  <>
    {errors.map(({ path, message }) => (
      <p key={path + message} class="overdue">
        {path} {message}
      </p>
    ))}
    <p class="strong">{words.matched(events.filter(({ matches }) => matches).length, events.length)}</p>
    <p>{words.raised(alerts.length)}</p>
    <ul class="bullets">
      {events.map(({ index, matches, inLogSource }) => (
        <li key={index}>
          {words.event(index)} {matches ? words.matches : inLogSource ? words.differs : words.elsewhere}
        </li>
      ))}
    </ul>
  </>
);
