import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Refused } from '../api/client.ts';
import { pageOf } from '../shell/links.ts';

type Preview = { links: { list: string | null }; isComplete: boolean };

type CountedProps<T extends Preview> = {
  asked: { data?: T; error?: Refused };
  /** The words for the numbers. */
  text: (data: T) => string;
  /** Beside it, when the service looked at the first records alone. */
  incomplete: string;
  children?: (data: T) => ComponentChildren;
};

/** The effect of a rule as the service counted it, with the list of the counted records. */
export function Counted<T extends Preview>({ asked: { data, error }, text, incomplete, children }: CountedProps<T>) {
  if (error) return <p class="preview overdue">{error.message}</p>;
  const list = pageOf(data?.links.list ?? undefined);
  return (
    <div class="preview" aria-live="polite">
      {data && (list ? <Link href={list}>{text(data)}</Link> : text(data))}
      {data && !data.isComplete && ` ${incomplete}`}
      {data && children?.(data)}
    </div>
  );
}
