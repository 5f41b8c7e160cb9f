import { useSignal } from '@preact/signals';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { timeOf } from '../../parts/format.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { count } from '../../texts/amounts.ts';
import { logs } from '../../texts/logs.ts';
import { type Asked, comparisonOf, queryOf } from './asked.ts';

const words = logs.values;
const USUAL = ['host', 'user', 'severity', 'service', 'category', 'product', 'EventID', 'src_ip'];
const MAX_SHOWN = '12';

const useValues = question((search) => {
  const params = { query: { field: new URLSearchParams(search).get('field') ?? '' } };
  return answerOf(client.GET('/api/v1/siem/events/values', { params, ...asTyped(search) }));
});

/** The most frequent values of a field. Each starts a search for it. */
export function TopValues({ asked }: { asked: Asked }) {
  const field = useSignal('');
  return (
    <section class="top-values" aria-label={words.title}>
      <label>
        <span class="soft small">{words.title}</span>
        <input
          list="fields-of-events"
          placeholder={words.field}
          value={field.value}
          onChange={({ currentTarget }) => {
            field.value = currentTarget.value.trim();
          }}
        />
      </label>
      <datalist id="fields-of-events">
        {USUAL.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {field.value && <Values field={field.value} asked={asked} />}
    </section>
  );
}

function Values({ field, asked }: { field: string; asked: Asked }) {
  const search = new URLSearchParams({ ...queryOf(asked.about), field, limit: MAX_SHOWN }).toString();
  const { data, error, ask } = useValues(search);
  if (error) return <Failed error={error} again={ask} />;
  if (!data) return <Loading lines={3} />;
  const find = (value: string) => {
    const filter = `${asked.valueOf('search')} ${comparisonOf(field, value)}`.trim();
    asked.change({ search: filter, open: undefined });
  };
  return (
    <>
      <ul class="value-counts">
        {data.values.map((one) => (
          <li key={one.value} class="value-count">
            <button type="button" class="value cut" title={logs.event.find(one.value)} onClick={() => find(one.value)}>
              {one.value}
            </button>
            <span class="number">{count(one.count)}</span>
          </li>
        ))}
      </ul>
      <p class="soft small">
        {words.counted(data.distinct, data.withField, data.events)}{' '}
        {!data.isComplete && words.backTo(timeOf(data.reached))}
      </p>
    </>
  );
}
