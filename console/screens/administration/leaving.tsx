import { useSignal } from '@preact/signals';
import { Dialog } from '../../parts/dialog.tsx';
import { Loading } from '../../parts/states.tsx';
import { team as words } from '../../texts/teams.ts';
import { useAccounts } from '../teams/accounts.ts';
import { Belongings } from '../teams/belongings.tsx';

type LeavingProps = { id: string; name: string };

/** Before somebody leaves: what they have, and the form that hands it over. */
export function Leaving({ id, name }: LeavingProps) {
  const isOpen = useSignal(false);
  const set = (value: boolean) => {
    isOpen.value = value;
  };
  return (
    <>
      <button type="button" class="link" onClick={() => set(true)}>
        {words.leaving}
      </button>
      {isOpen.value && (
        <Dialog kind="dialog" title={words.leavingOf(name)} close={() => set(false)}>
          <div class="dialog-content">
            <Heir id={id} />
          </div>
        </Dialog>
      )}
    </>
  );
}

const Heir = ({ id }: { id: string }) => {
  const { data } = useAccounts('');
  return data ? <Belongings id={id} heirs={[...data.accounts, ...data.teams]} /> : <Loading lines={3} />;
};
