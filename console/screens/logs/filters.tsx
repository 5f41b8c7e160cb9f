import { useEffect, useRef } from 'preact/hooks';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { isTyping } from '../../filter/filter-bar.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SEVERITIES } from '../../parts/marks.tsx';
import { form } from '../../texts/form.ts';
import { logs as words } from '../../texts/logs.ts';
import { texts } from '../../texts.ts';
import { localOf, momentOf, zone } from '../../zone.ts';
import { type Asked, isRange, RANGES, type RangeName } from './asked.ts';

const MAX_SHOWN = 200;

export const useSources = question(() =>
  answerOf(client.GET('/api/v1/siem/sources', { params: { query: { paginateSize: MAX_SHOWN } } })),
);

const CHOSEN = 'chosen';
const NAMES = Object.keys(RANGES).filter((name): name is RangeName => isRange(name));

/** Words, time, source and severity of a search; the address has them all. */
export function Filters({ asked, again }: { asked: Asked; again: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  useFocusKey(input);
  const { data: sources } = useSources('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text === asked.valueOf('search')) again();
    else asked.change({ search: text });
  };
  return (
    <form class="log-filters" role="search" onSubmit={submit}>
      <input
        ref={input}
        key={asked.valueOf('search')}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        defaultValue={asked.valueOf('search')}
      />
      <Choice
        label={words.range}
        value={asked.hasTimes ? CHOSEN : asked.range}
        options={[
          ...NAMES.map((value) => ({ value, label: words.ranges[value] })),
          ...(asked.hasTimes ? [{ value: CHOSEN, label: words.chosen }] : []),
        ]}
        choose={(range) => asked.change({ range, from: undefined, to: undefined })}
      />
      <Choice
        label={words.source}
        value={asked.valueOf('sourceId')}
        options={[
          { value: '', label: words.all(words.source) },
          ...(sources?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []),
        ]}
        choose={(sourceId) => asked.change({ sourceId })}
      />
      <Choice
        label={words.severity}
        value={asked.valueOf('severity')}
        options={[
          { value: '', label: words.all(words.severity) },
          ...SEVERITIES.map((value) => ({ value, label: texts.severities[value] })),
        ]}
        choose={(severity) => asked.change({ severity })}
      />
      <button type="submit" class="button main">
        {words.run}
      </button>
    </form>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  choose: (value: string) => void;
};

const Choice = ({ label, value, options, choose }: ChoiceProps) => (
  <label>
    <span class="unseen">{label}</span>
    <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  </label>
);

/** `/` goes to the words, as on the lists. */
function useFocusKey(input: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

const CHIPS = [
  { name: 'host', label: (value: string) => texts.list.parameter(words.host, value) },
  { name: 'user', label: (value: string) => texts.list.parameter(words.user, value) },
  { name: 'alertId', label: () => words.ofAlert },
  { name: 'ruleId', label: () => words.ofRule },
] as const;

type TimesProps = { asked: Asked; from: string; to: string };

/** The times of the search to type, and the filters that came from an event. */
export const Times = ({ asked, from, to }: TimesProps) => (
  <div class="log-times">
    {Object.entries({ from, to }).map(([name, time]) => (
      <label key={name}>
        <span class="soft small">{name === 'from' ? words.from : words.to}</span>
        <input
          type="datetime-local"
          title={form.inZone(zone.value)}
          value={localOf(time)}
          onChange={({ currentTarget: { value } }) => {
            if (value) asked.change({ from, to, [name]: momentOf(value) });
          }}
        />
      </label>
    ))}
    {CHIPS.map(({ name, label }) => {
      const value = asked.valueOf(name);
      if (!value) return null;
      return (
        <button key={name} type="button" class="chip" onClick={() => asked.change({ [name]: undefined })}>
          {label(value)}
          <Icon name="close" />
          <span class="unseen">{texts.list.remove(label(value))}</span>
        </button>
      );
    })}
  </div>
);
