import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { role } from '../session.ts';
import { texts } from '../texts.ts';
import { type Hit, isCve, useHits, useOtherHits, useSeldomHits } from './palette-hits.ts';
import { screensOf } from './screens.ts';

const isOpen = signal(false);
export const openPalette = (): void => {
  isOpen.value = true;
};

const nothingFor = (words: string): string =>
  isCve(words) ? texts.palette.notAffected(words.toUpperCase()) : texts.palette.nothing;

/** Ctrl-K or Cmd-K, on every screen. */
export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return isOpen.value ? <OpenPalette /> : null;
}

const PAUSE_MS = 150;

/** The screens and records that the typed words find. */
function useFound(typed: string) {
  const asked = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = typed;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data: found, error } = useHits(asked.value);
  const { data: others } = useOtherHits(asked.value);
  const { data: seldom } = useSeldomHits(asked.value);
  const words = typed.toLowerCase();
  const screens = screensOf(role.value)
    .filter(({ title }) => title.toLowerCase().includes(words))
    .map(({ path, title, icon }): Hit => ({ href: path, icon, title, hint: '' }));
  const hits = [...screens, ...(found ?? []), ...(others ?? []), ...(seldom ?? [])];
  const isAnswered = ((found && others && seldom) !== undefined || error !== undefined) && asked.value === typed;
  return { hits, none: hits.length === 0 && isAnswered ? (error?.message ?? nothingFor(words)) : undefined };
}

function OpenPalette() {
  const [, go] = useLocation();
  const typed = useSignal('');
  const chosen = useSignal<string | undefined>(undefined);
  const { hits, none } = useFound(typed.value);
  // the chosen hit stays chosen when others come in before it
  const active = Math.max(
    0,
    hits.findIndex(({ href }) => href === chosen.value),
  );
  const close = () => {
    isOpen.value = false;
  };
  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    go(hit.href);
    // the next key begins in the page that was chosen; a record takes the focus itself
    if (!hit.href.includes('open=')) setTimeout(() => document.querySelector('main')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) chosen.value = hits[Math.max(0, Math.min(hits.length - 1, active + step))]?.href;
    else if (event.key === 'Enter') choose(hits[active]);
    else return;
    event.preventDefault();
  };
  const onInput = (text: string) => {
    typed.value = text.trim();
    chosen.value = undefined;
  };
  return (
    <Dialog kind="palette" title={texts.palette.label} close={close}>
      <PaletteInput onInput={onInput} onKeyDown={onKeyDown} active={active} />
      {none && <p class="palette-none">{none}</p>}
      <Hits hits={hits} active={active} choose={choose} />
    </Dialog>
  );
}

type InputProps = { onInput: (text: string) => void; onKeyDown: (event: KeyboardEvent) => void; active: number };

const PaletteInput = ({ onInput, onKeyDown, active }: InputProps) => (
  <input
    class="palette-input"
    role="combobox"
    aria-expanded="true"
    aria-controls="palette-hits"
    aria-activedescendant={`palette-hit-${active}`}
    aria-label={texts.palette.label}
    placeholder={texts.palette.placeholder}
    onInput={({ currentTarget }) => onInput(currentTarget.value)}
    onKeyDown={onKeyDown}
  />
);

type HitsProps = { hits: readonly Hit[]; active: number; choose: (hit: Hit) => void };

function Hits({ hits, active, choose }: HitsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id="palette-hits" class="palette-hits" role="listbox" aria-label={texts.palette.label}>
      {hits.map((one, n) => (
        <div
          key={one.href}
          id={`palette-hit-${n}`}
          role="option"
          aria-selected={n === active}
          class="palette-hit"
          onClick={() => choose(one)}
        >
          <Icon name={one.icon} />
          <span class="cut">{one.title}</span>
          <span class="soft cut">{one.hint}</span>
        </div>
      ))}
    </div>
  );
}
