import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import '../style/administration.css';
import type { Refused } from '../api/client.ts';
import { askAgain, refusedBy } from '../api/question.ts';
import { administration } from '../texts/administration.ts';
import { amountOf } from '../texts/amounts.ts';
import { Empty, Failed, Loading } from './states.tsx';
import { Table, type TableColumn } from './table.tsx';
import { notify } from './toasts.tsx';

export const LIST_SIZE = 200;

type Asked<T> = { data?: { data: readonly T[]; totalCount?: number }; error?: Refused; ask: () => void };

type ListingProps<T> = {
  title: string;
  lead: string;
  words: { one: string; many: string };
  asked: Asked<T>;
  columns: readonly TableColumn<T>[];
  keyOf: (row: T) => string;
  /** Beside the title, such as a button that adds a record. */
  children?: ComponentChildren;
};

/** A section of records: its title with their number, and the list or why there is none. */
export const Listing = <T,>({ title, lead, words, asked, columns, keyOf, children }: ListingProps<T>) => {
  const { data, error, ask } = asked;
  const total = data?.totalCount ?? data?.data.length ?? 0;
  return (
    <section class="listing">
      <header>
        <h2>
          {title} {data && <span class="total">{amountOf(total, words.one, words.many)}</span>}
        </h2>
        {children}
      </header>
      {data?.data.length !== 0 && <p class="soft">{lead}</p>}
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={5} />}
      {data && data.data.length === 0 && <Empty icon="search" title={administration.none} hint={lead} />}
      {data && data.data.length > 0 && <Table caption={title} columns={columns} rows={data.data} keyOf={keyOf} />}
      {data && data.data.length < total && <p class="note">{administration.only(data.data.length)}</p>}
    </section>
  );
};

type ActProps = {
  label: string;
  done: string;
  run: () => Promise<unknown>;
  sure?: string;
  look?: 'link' | 'button' | 'button main';
};

/** A button that changes a record. With `sure`, a second press confirms the change. */
export function Act({ label, done, run, sure, look = 'link' }: ActProps) {
  const isAsked = useSignal(false);
  const onClick = () => {
    if (sure && !isAsked.value) {
      isAsked.value = true;
      return;
    }
    isAsked.value = false;
    run().then(
      () => {
        notify(done);
        askAgain();
      },
      (refused: unknown) => notify(refusedBy(refused).message, { isError: true }),
    );
  };
  return (
    <button
      type="button"
      class={look}
      onClick={onClick}
      onBlur={() => {
        isAsked.value = false;
      }}
    >
      {isAsked.value ? sure : label}
    </button>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  done: string;
  run: (value: string) => Promise<unknown>;
};

/** A choice that changes a record at once. A refused choice goes back. */
export const ChoiceAct = ({ label, value, options, done, run }: ChoiceProps) => (
  <select
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => {
      run(currentTarget.value).then(
        () => {
          notify(done);
          askAgain();
        },
        (refused: unknown) => {
          currentTarget.value = value;
          notify(refusedBy(refused).message, { isError: true });
          askAgain();
        },
      );
    }}
  >
    {options.map(({ value: one, label: text }) => (
      <option key={one} value={one}>
        {text}
      </option>
    ))}
  </select>
);
