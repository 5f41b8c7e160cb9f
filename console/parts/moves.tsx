import { texts } from '../texts.ts';

type MovesProps<S extends keyof typeof texts.moves> = {
  statuses: readonly S[];
  current: string;
  move: (status: S) => void;
};

/** The statuses that a record may have; the service says which of them the current one allows. */
export const Moves = <S extends keyof typeof texts.moves>({ statuses, current, move }: MovesProps<S>) => (
  <div class="actions">
    {statuses
      .filter((one) => one !== current)
      .map((one, n) => (
        <button
          key={one}
          type="button"
          class={n === 0 ? 'button main' : 'button'}
          data-key={n === 0 ? 'e' : undefined}
          onClick={() => move(one)}
        >
          {texts.moves[one]}
        </button>
      ))}
  </div>
);
