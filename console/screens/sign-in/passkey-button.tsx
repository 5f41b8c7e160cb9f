import type { Signal } from '@preact/signals';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';

type Props = { label: string; error: Signal<string | undefined>; onUse: () => Promise<void> };

/** Shows nothing in a browser without passkeys. */
export function PasskeyButton({ label, error, onUse }: Props) {
  if (!browserSupportsWebAuthn()) return null;
  const onClick = () => {
    error.value = undefined;
    onUse().catch((refused: Error) => {
      error.value = refused.message;
    });
  };
  return (
    <button type="button" class="button" onClick={onClick}>
      {label}
    </button>
  );
}
