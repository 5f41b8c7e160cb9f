import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

type MenuProps = { label: string; icon: IconName; children: ComponentChildren };

/** A button with a small panel below. A click elsewhere and Escape close it. */
export function Menu({ label, icon, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => element.current?.removeAttribute('open');
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Node && target.isConnected && !element.current?.contains(target)) close();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !element.current?.open) return;
      close();
      element.current.querySelector('summary')?.focus();
    };
    addEventListener('click', onClick);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('click', onClick);
      removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <details ref={element} class="menu">
      <summary class="button" aria-label={label}>
        <Icon name={icon} />
        <span class="menu-label">{label}</span>
      </summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
