import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { DetectionRule } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { timeOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import type { PartProps } from '../../records/detail.tsx';
import { texts } from '../../texts.ts';
import { AddException } from './add-exception.tsx';

const words = texts.detection.tuning;

const useWeeks = question((id) =>
  answerOf(client.GET('/api/v1/detection/rules/{id}/weeks', { params: { path: { id } } })),
);

/** The noise of a rule by week, its exceptions, and whether it raises alerts at all. */
export function Tuning({ record, put, changed }: PartProps<DetectionRule>) {
  const exceptions = record.exceptions ?? [];
  const isSignal = record.effect === 'signal';
  const change = (body: Pick<Partial<DetectionRule>, 'effect' | 'exceptions'>, done: string) =>
    act(
      client.PATCH('/api/v1/detection/rules/{id}', {
        params: { path: { id: record.id } },
        headers: { 'if-match': `"${record.version}"` },
        body,
      }),
      { done, put, changed },
    );
  return (
    <Section title={words.title}>
      <Weeks id={record.id} />
      <p>{isSignal ? words.isSignal : words.isAlert}</p>
      <p class="actions">
        <button
          type="button"
          class="button"
          onClick={() => void change({ effect: isSignal ? 'alert' : 'signal' }, words.effectChanged)}
        >
          {isSignal ? words.toAlert : words.toSignal}
        </button>
        <AddException ruleId={record.id} initial={{ field: 'host', value: '' }} changed={changed} />
      </p>
      <ul class="related">
        {exceptions.map((exception) => (
          <li key={JSON.stringify(exception)}>
            <span>
              {Object.entries(exception.where)
                .map(([field, value]) => `${field}: ${value}`)
                .join(', ')}
            </span>
            <span class="soft">
              {exception.reason} {exception.endsAt ? words.until(timeOf(exception.endsAt)) : words.always}
            </span>
            <button
              type="button"
              class="link"
              onClick={() => void change({ exceptions: exceptions.filter((one) => one !== exception) }, words.removed)}
            >
              {words.remove}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The weeks with matches, the present one first. */
function Weeks({ id }: { id: string }) {
  const { data, error, ask } = useWeeks(id);
  if (!data && error) return <Failed error={error} again={ask} />;
  const loud = data?.weeks.filter(({ matches, alerts }) => matches > 0 || alerts > 0) ?? [];
  if (data && loud.length === 0) return <p class="soft">{words.quiet}</p>;
  return (
    <ul class="bullets">
      {loud.map(({ week, matches, alerts }) => (
        <li key={week}>{words.week(week, matches, alerts)}</li>
      ))}
    </ul>
  );
}
