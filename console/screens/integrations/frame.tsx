import type { ComponentChildren } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import type { Refused } from '../../api/client.ts';
import { agoOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { integrations as words } from '../../texts/integrations.ts';
import { texts } from '../../texts.ts';
import type { State } from './connections.ts';
import { StateMark } from './state-mark.tsx';

type Known = {
  name: string;
  state: State;
  system: string;
  error?: { message: string; at: string } | null;
  /** The next action, where it is not that of all connections in this state. */
  next?: string;
};

type FrameProps = {
  asked: { error?: Refused; ask: () => void };
  known: Known | undefined;
  /** The buttons of the next action. */
  actions: ComponentChildren;
  facts: ComponentChildren;
  remove: () => Promise<unknown>;
  /** Below: what the other system has sent. */
  children?: ComponentChildren;
};

/** The page of a connection, in the order of a person who asks why nothing comes. */
export function Frame({ asked, known, actions, facts, remove, children }: FrameProps) {
  const [, go] = useLocation();
  return (
    <article class="page record-page">
      <nav class="crumbs" aria-label={texts.detail.crumbs}>
        <Link href="/integrations">{texts.screens.integrations}</Link>
      </nav>
      <h1>{known?.name ?? texts.screens.integrations}</h1>
      {!known && (asked.error ? <Failed error={asked.error} again={asked.ask} /> : <Loading lines={8} />)}
      {known && (
        <>
          <div class="drawer-marks">
            <StateMark state={known.state} />
            <span class="tag">{known.system}</span>
          </div>
          <div class="record-columns">
            <div class="record-card">
              <h2 class="unseen">{texts.detail.record}</h2>
              <Section title={words.nextTitle}>
                <p>{known.next ?? words.next[known.state]}</p>
                {known.error && (
                  <p class="overdue">
                    {known.error.message} <span class="soft small">{agoOf(known.error.at)}</span>
                  </p>
                )}
                <div class="actions">
                  {actions}
                  <Act
                    label={words.remove}
                    sure={words.sureRemove}
                    done={words.removed}
                    run={async () => {
                      await remove();
                      go('/integrations');
                    }}
                  />
                </div>
              </Section>
            </div>
            <div class="record-card">
              <h2 class="unseen">{texts.detail.side}</h2>
              <Section title={words.facts}>{facts}</Section>
            </div>
          </div>
          {children}
        </>
      )}
    </article>
  );
}
