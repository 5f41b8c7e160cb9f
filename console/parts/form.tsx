import { useSignal } from '@preact/signals';
import type { Refused } from '../api/client.ts';

type OneLineProps = { label: string; submit: string; send: (text: string) => Promise<Refused | undefined> };

/** One text with its button; the text stays when the service refuses it. */
export function OneText({ label, submit, send }: OneLineProps) {
  const text = useSignal('');
  const isSending = useSignal(false);
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    isSending.value = true;
    const refused = await send(text.value);
    isSending.value = false;
    if (!refused) text.value = '';
  };
  return (
    <form class="save-view" onSubmit={(event) => void onSubmit(event)}>
      <textarea
        required
        rows={2}
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <button type="submit" class="button" disabled={isSending.value}>
        {submit}
      </button>
    </form>
  );
}
