import { useLocation } from 'wouter-preact';
import { acting, leaveClient } from '../staff.ts';
import { clients as words } from '../texts/clients.ts';

/** Reminds a member of the provider's staff where they act, and leads back. */
export function ActingBanner() {
  const [, go] = useLocation();
  if (!acting.value) return null;
  const leave = () => {
    leaveClient();
    go('/organizations');
  };
  return (
    <p class="acting">
      <span>{words.acting(acting.value.name, acting.value.role)}</span>
      <button type="button" class="button" onClick={leave}>
        {words.leave}
      </button>
    </p>
  );
}
