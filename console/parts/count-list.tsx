import { Link } from 'wouter-preact';
import { pageOf } from '../shell/links.ts';
import { count } from '../texts/amounts.ts';

type CountListProps = { rows: readonly { label: string; amount: number; list: string | undefined }[] };

/** Figures below each other. Each opens the list of exactly the counted records. */
export const CountList = ({ rows }: CountListProps) => (
  <dl class="count-list">
    {rows.map(({ label, amount, list }) => {
      const page = pageOf(list);
      return (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {page ? (
              <Link href={page} data-figure>
                {count(amount)}
              </Link>
            ) : (
              count(amount)
            )}
          </dd>
        </div>
      );
    })}
  </dl>
);
