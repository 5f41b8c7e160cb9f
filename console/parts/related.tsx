import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Refused } from '../api/client.ts';
import { texts } from '../texts.ts';
import { Section } from './section.tsx';
import { Failed, Loading } from './states.tsx';

type Found<T> = { data: T[]; totalCount: number };

type RelatedProps<T extends { id: string }> = {
  title: string;
  asked: { data?: Found<T>; error?: Refused; ask: () => void };
  none: string;
  /** The page that lists exactly these records. */
  all?: string | undefined;
  /** Below the list, such as a button that adds a record. */
  foot?: ComponentChildren;
  children: (row: T) => ComponentChildren;
};

/** The first records of a list that belongs to the record of the page, with their number, which opens the list. */
export const Related = <T extends { id: string }>({ title, asked, none, all, foot, children }: RelatedProps<T>) => {
  const { data, error, ask } = asked;
  return (
    <Section title={title}>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={3} />}
      {data?.totalCount === 0 && <p class="soft">{none}</p>}
      {data && data.totalCount > 0 && (
        <ul class="related">
          {data.data.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
      {data && all && data.totalCount > 0 && <Link href={all}>{texts.detail.all(data.totalCount)}</Link>}
      {foot && <div class="actions">{foot}</div>}
    </Section>
  );
};
