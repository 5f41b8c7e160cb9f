import { useSignal } from '@preact/signals';
import type { Finding, FindingStatus } from '../../api/types.ts';
import { AcceptForm } from '../../parts/accept-form.tsx';
import { texts } from '../../texts.ts';
import { useMe } from '../../zone.ts';
import { OpenTickets } from '../tickets/open-tickets.tsx';
import { changeFinding, type Wanted } from './change-finding.ts';
import { MOVES } from './moves.ts';

const words = texts.finding;

type ActionsProps = { finding: Finding; put: (finding: Finding) => void; changed: () => void };

/** The moves that the status of the finding allows. */
export function Actions({ finding, put, changed }: ActionsProps) {
  const isAccepting = useSignal(false);
  const move = (wanted: Wanted) => {
    isAccepting.value = false;
    void changeFinding({ finding, put, changed }, wanted);
  };
  const choose = (status: FindingStatus) => {
    if (status === 'risk_accepted') isAccepting.value = true;
    else move({ status });
  };
  return (
    <>
      <div class="actions">
        {MOVES[finding.status].map((status, n) => (
          <button
            key={status}
            type="button"
            class={n === 0 ? 'button main' : 'button'}
            data-key={n === 0 ? 'e' : undefined}
            onClick={() => choose(status)}
          >
            {words.actions[status]}
          </button>
        ))}
        <OpenTickets type="finding" ids={[finding.id]} />
      </div>
      {isAccepting.value && <AcceptForm accept={(wanted) => move({ status: 'risk_accepted', ...wanted })} />}
    </>
  );
}

/** A person takes a finding to work on it. */
export function TakeIt({ finding, put, changed }: ActionsProps) {
  const { data: me } = useMe('');
  if (!me || finding.assignee?.id === me.id) return null;
  return (
    <p>
      <button
        type="button"
        class="button"
        data-key="a"
        data-press
        onClick={() => void changeFinding({ finding, put, changed }, { assigneeId: me.id })}
      >
        {words.takeIt}
      </button>
    </p>
  );
}
