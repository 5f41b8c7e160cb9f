import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

type MenuProps = { label: string; icon: IconName; children: ComponentChildren };

/** A button with a small panel below. A click or the focus elsewhere and Escape close it. */
export function Menu({ label, icon, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => element.current?.removeAttribute('open');
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Node && target.isConnected && !element.current?.contains(target)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !element.current?.open) return;
      // the drawer around the menu stays
      event.preventDefault();
      close();
      element.current.querySelector('summary')?.focus();
    };
    addEventListener('click', onClick);
    addEventListener('keydown', onKey, true);
    return () => {
      removeEventListener('click', onClick);
      removeEventListener('keydown', onKey, true);
    };
  }, []);
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !element.current?.contains(relatedTarget))
      element.current?.removeAttribute('open');
  };
  return (
    <details ref={element} class="menu" onFocusOut={leave}>
      <summary class="button" aria-label={label}>
        <Icon name={icon} />
        <span class="menu-label">{label}</span>
      </summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
