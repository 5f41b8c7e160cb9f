import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts.ts';
import { utcDay } from './format.ts';

const words = texts.finding;

export type Acceptance = { reason: string; acceptedUntil: string };

const USUAL_DAYS = 90;

/** An accepted risk needs a reason, and has an end. */
export function AcceptForm({ accept }: { accept: (acceptance: Acceptance) => void }) {
  const reason = useSignal('');
  const until = useSignal(utcDay(USUAL_DAYS));
  const first = useRef<HTMLInputElement>(null);
  // a person who came by the keyboard writes on
  useEffect(() => first.current?.focus(), []);
  return (
    <form
      class="accept"
      onSubmit={(event) => {
        event.preventDefault();
        accept({ reason: reason.value, acceptedUntil: `${until.value}T00:00:00Z` });
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
          min={utcDay(1)}
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
