import { useEffect } from 'preact/hooks';

/** Asks again after each pause, while the page is in view. Without a pause nothing is asked. */
export function useEvery(ms: number | undefined, ask: () => void): void {
  useEffect(() => {
    if (ms === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) ask();
    }, ms);
    return () => clearInterval(timer);
  }, [ms, ask]);
}
