import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { form } from '../texts/form.ts';
import { texts } from '../texts.ts';
import { localDayOf, momentOf, zone } from '../zone.ts';

const words = texts.finding;

export type Acceptance = { reason: string; acceptedUntil: string };

const DAY_MS = 86_400_000;
const dayAfter = (days: number): string => localDayOf(new Date(Date.now() + days * DAY_MS).toISOString());
const USUAL_DAYS = 90;

/** An accepted risk needs a reason, and has an end. */
export function AcceptForm({ accept }: { accept: (acceptance: Acceptance) => void }) {
  const reason = useSignal('');
  const until = useSignal(dayAfter(USUAL_DAYS));
  const first = useRef<HTMLInputElement>(null);
  // a person who came by the keyboard writes on
  useEffect(() => first.current?.focus(), []);
  return (
    <form
      class="accept"
      onSubmit={(event) => {
        event.preventDefault();
        accept({ reason: reason.value, acceptedUntil: momentOf(until.value) });
      }}
    >
      <label>
        <span>{words.accept.reason}</span>
        <input
          ref={first}
          required
          maxLength={300}
          value={reason.value}
          placeholder={words.accept.reasonHint}
          onInput={({ currentTarget }) => {
            reason.value = currentTarget.value;
          }}
        />
      </label>
      <label>
        <span>{words.accept.until}</span>
        <input
          required
          type="date"
          min={dayAfter(1)}
          title={form.inZone(zone.value)}
          value={until.value}
          onInput={({ currentTarget }) => {
            until.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit" class="button main">
        {words.accept.submit}
      </button>
    </form>
  );
}
