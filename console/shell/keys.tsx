import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isTyping } from '../filter/filter-bar.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { keys as words } from '../texts/keys.ts';
import { openPalette } from './palette.tsx';

const isOpen = signal(false);
export const openKeys = (): void => {
  isOpen.value = true;
};

/** A record that a key opens needs a moment to be there. */
const WAIT_MS = 4_000;

/** The keys of every page; those of lists are the lists' own (`records/grid.tsx`). */
export function Keys() {
  useEffect(() => {
    let waiting: ReturnType<typeof setInterval> | undefined;
    const onKey = (event: KeyboardEvent) => {
      clearInterval(waiting);
      if (isTyping(event)) return;
      if (event.key === '?') openKeys();
      else if (event.key === '/' && !document.querySelector('.filter')) openPalette();
      else if (event.key === 'z') reach('z');
      else if (event.key === 'e' || event.key === 'a') {
        const began = Date.now();
        if (reach(event.key)) return event.preventDefault();
        waiting = setInterval(() => {
          if (reach(event.key) || Date.now() - began > WAIT_MS) clearInterval(waiting);
        }, 50);
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => {
      clearInterval(waiting);
      removeEventListener('keydown', onKey);
    };
  }, []);
  if (!isOpen.value) return null;
  return (
    <Dialog
      kind="dialog"
      title={words.title}
      close={() => {
        isOpen.value = false;
      }}
    >
      <dl class="key-list">
        {words.list.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The control of the key: a button that does one thing is pressed, any other gets the focus. */
function reach(key: string): boolean {
  const control = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (!control) return false;
  if (control.dataset.press === undefined) control.focus();
  else control.click();
  return true;
}
