import { signal } from '@preact/signals';
import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';

type Action = { label: string; run: () => void };
type Toast = { id: number; text: string; isError?: boolean; action?: Action | undefined };

const STAYS_MS = 12_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** A short message at the bottom. It goes by itself, one with an action later. */
export function notify(text: string, { isError, action }: Omit<Toast, 'id' | 'text'> = {}): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value.slice(-2), { id, text, isError, action }];
  setTimeout(() => dismiss(id), action ? STAYS_MS * 5 : STAYS_MS);
}

export const Toasts = () => {
  const undone = toasts.value.findLast(({ action }) => action);
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, isError, action }) => (
        <div key={id} class={isError ? 'toast toast-error' : 'toast'}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="button"
              data-key={id === undone?.id ? 'z' : undefined}
              data-press
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="button quiet square" aria-label={texts.close} onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
};
