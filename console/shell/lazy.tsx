import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refusedBy } from '../api/question.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import type { Screen, ScreenParts } from './screen.ts';

const loaded = new Map<string, ScreenParts>();

async function partsOf({ path, load }: Screen): Promise<ScreenParts> {
  const known = loaded.get(path);
  if (known) return known;
  const { parts } = await load();
  loaded.set(path, parts);
  return parts;
}

/** The scripts and the first answer of a screen that is probably opened next come before the person opens the screen. */
export const prepare = (screen: Screen): void => void partsOf(screen).then(({ ahead }) => ahead?.(), nothing);

/** The scripts of all screens come one after another while the page has nothing else to do. A screen that fails comes when it is opened. */
export async function loadWhenIdle(screens: readonly Screen[]): Promise<void> {
  for (const screen of screens) {
    await new Promise((resolve) => requestIdle(resolve));
    await partsOf(screen).catch(nothing);
  }
}

const nothing = (): void => undefined;

/** Safari has no idle callback. */
const requestIdle = (go: (value: unknown) => void): unknown =>
  'requestIdleCallback' in window ? requestIdleCallback(go) : setTimeout(go, 200);

type LazyProps = { screen: Screen; part: 'List' | 'Page' };

/** There is no such page, or no page of a record of this screen. */
export const Missing = () => <Empty icon="search" title={texts.screens.missing} hint={texts.screens.missingHint} />;

/** A screen whose scripts come when it is opened first. */
export function Lazy({ screen, part }: LazyProps) {
  const parts = useSignal(loaded.get(screen.path));
  const failed = useSignal<unknown>(undefined);
  const load = () => {
    failed.value = undefined;
    partsOf(screen).then(
      (found) => {
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
  if (parts.value) return <Missing />;
  if (failed.value === undefined)
    return (
      <div class="page">
        <Loading lines={9} />
      </div>
    );
  return <Failed error={refusedBy(failed.value)} again={load} />;
}
