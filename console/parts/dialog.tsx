import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';

type DialogProps = {
  title: string;
  kind: 'drawer' | 'dialog' | 'palette';
  close: () => void;
  children: ComponentChildren;
};

const FIELD = '.palette-input, form :is(input, select, textarea)';

/**
 * The browser's own dialog. It takes the focus, to its first field, gives it back, and closes on Escape. Beside a drawer the page stays in use; any
 * other dialog keeps the focus inside.
 */
export function Dialog({ title, kind, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // before the browser paints: no key of the person is lost
  useLayoutEffect(() => {
    const dialog = element.current;
    if (kind !== 'drawer') dialog?.showModal();
    else dialog?.show();
    const field = kind === 'drawer' ? null : dialog?.querySelector<HTMLElement>(FIELD);
    (field ?? dialog)?.focus();
    return () => dialog?.close();
  }, [kind]);
  useEscape(kind === 'drawer', close);
  const onClick = (event: MouseEvent) => {
    if (event.target === element.current) close();
  };
  return (
    <dialog ref={element} tabIndex={-1} class={kind} aria-labelledby={titleId} onCancel={close} onClick={onClick}>
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={titleId} class={kind === 'palette' ? 'unseen' : ''}>
            {title}
          </h2>
          <button type="button" class="button quiet square" aria-label={texts.close} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** The browser closes only dialogs that keep the focus. */
function useEscape(isDrawer: boolean, close: () => void): void {
  useLayoutEffect(() => {
    if (!isDrawer) return;
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector(':modal')) close();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isDrawer, close]);
}
