import type { ComponentChildren } from 'preact';
import type { Refused } from '../api/client.ts';
import { texts } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';

/** Grey bars in the place of what comes, so that nothing jumps when it is there. */
export const Loading = ({ lines = 4 }: { lines?: number }) => (
  <div class="loading" role="status" aria-label={texts.loading}>
    {Array.from({ length: lines }, (_, n) => (
      <i key={n} />
    ))}
  </div>
);

type FailedProps = { error: Refused; again?: (() => void) | undefined };

/** The message of the service, which says what to do. What a role does not open, another try does not open either. */
export const Failed = ({ error, again }: FailedProps) =>
  error.code === 'insufficient_scope' ? (
    <div class="closed" role="alert">
      <Empty icon="key" title={texts.errors.closed} hint={error.message} />
    </div>
  ) : (
    <div class="failed" role="alert">
      <strong>{texts.errors.title}</strong>
      <p>{error.message}</p>
      {error.requestId && <p class="soft small">{texts.errors.request(error.requestId)}</p>}
      {again && (
        <button type="button" class="button" onClick={again}>
          {texts.errors.again}
        </button>
      )}
    </div>
  );

type EmptyProps = { icon: IconName; title: string; hint: string; children?: ComponentChildren };

export const Empty = ({ icon, title, hint, children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <strong>{title}</strong>
    <p>{hint}</p>
    {children}
  </div>
);
