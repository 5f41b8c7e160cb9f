import { useSearchParams } from 'wouter-preact';

export const useSearchWords = (): string => useSearchParams()[0].get('search') ?? '';

/** The words of a page that has no filter bar; the address has them. */
export function PageSearch({ label }: { label: string }) {
  const search = useSearchWords();
  const [, setParams] = useSearchParams();
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const typed = String(new FormData(event.currentTarget).get('search') ?? '').trim();
    setParams(typed === '' ? {} : { search: typed });
  };
  return (
    <form role="search" class="page-search" onSubmit={find}>
      <input key={search} name="search" type="search" defaultValue={search} aria-label={label} placeholder={label} />
    </form>
  );
}
