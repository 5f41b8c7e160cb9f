import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refusedBy } from '../api/question.ts';
import { Failed, Loading } from '../parts/states.tsx';
import type { Screen, ScreenParts } from './screens.ts';

const loaded = new Map<string, ScreenParts>();

type LazyProps = { screen: Screen; part: keyof ScreenParts };

/** A screen whose scripts come when it is opened first. */
export function Lazy({ screen, part }: LazyProps) {
  const parts = useSignal(loaded.get(screen.path));
  const failed = useSignal<unknown>(undefined);
  const load = () => {
    failed.value = undefined;
    screen.load().then(
      ({ parts: found }) => {
        loaded.set(screen.path, found);
        parts.value = found;
      },
      (error: unknown) => {
        failed.value = error;
      },
    );
  };
  useEffect(() => {
    if (!parts.value) load();
  }, [screen]);
  const Part = parts.value?.[part];
  if (Part) return <Part />;
  if (failed.value === undefined)
    return (
      <div class="page">
        <Loading lines={9} />
      </div>
    );
  return <Failed error={refusedBy(failed.value)} again={load} />;
}
