import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import icon from '../icon.svg';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { role, signOut } from '../session.ts';
import { keys } from '../texts/keys.ts';
import { texts } from '../texts.ts';
import { openKeys } from './keys.tsx';
import { prepare } from './lazy.tsx';
import { openPalette } from './palette.tsx';
import type { Screen } from './screen.ts';
import { SCREENS, screensOf } from './screens.ts';
import { THEMES, theme } from './theme.ts';
import { Unread } from './unread.tsx';

type Group = { group: string; title: string; screens: readonly Screen[] };

const groupsOf = (screens: readonly Screen[]): Group[] =>
  Object.entries(texts.groups).flatMap(([group, title]) => {
    const own = screens.filter((screen) => screen.group === group);
    return own.length > 0 ? [{ group, title, screens: own }] : [];
  });

/** A bar at the left. On a phone a few screens are at the bottom, and all others behind "More". */
export function Navigation() {
  const isOpen = useSignal(false);
  const [path] = useLocation();
  const list = useRef<HTMLElement>(null);
  // the screens may be more than fit: the current one is in view
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  const groups = groupsOf(screensOf(role.value));
  const close = () => {
    isOpen.value = false;
  };
  return (
    <header class="navigation">
      <Link href="/" class="brand">
        <img src={icon} alt="" width="24" height="24" />
        {texts.product}
      </Link>
      <button type="button" class="search-button" onClick={openPalette}>
        <Icon name="search" />
        <span>{texts.palette.open}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <nav ref={list} aria-label={texts.screens.main}>
        <Groups groups={groups} />
      </nav>
      <button
        type="button"
        class="nav-item more-button"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="more" />
        <span>{texts.screens.more}</span>
      </button>
      <Foot />
      {isOpen.value && (
        <Dialog kind="dialog" title={texts.screens.more} close={close}>
          <nav class="more" aria-label={texts.screens.all} onClick={close}>
            <Groups groups={groups} />
          </nav>
          <Foot />
        </Dialog>
      )}
    </header>
  );
}

function Groups({ groups }: { groups: readonly Group[] }) {
  const [path] = useLocation();
  const [, first = ''] = path.split('/');
  const here = SCREENS.find((screen) => screen.path === `/${first}`);
  const isHere = (screen: string) => screen === (here?.under ?? here?.path);
  return (
    <>
      {groups.map(({ group, title, screens }) => (
        <Fragment key={group}>
          {title && <p class="nav-group">{title}</p>}
          {screens.map((screen) => (
            <Link
              key={screen.path}
              href={screen.path}
              class={`nav-item${screen.isOnPhone ? '' : ' nav-further'}`}
              aria-current={isHere(screen.path) ? 'page' : undefined}
              onPointerEnter={() => prepare(screen)}
              onFocus={() => prepare(screen)}
            >
              <Icon name={screen.icon} />
              <span>{screen.title}</span>
              {screen.path === '/inbox' && <Unread />}
            </Link>
          ))}
        </Fragment>
      ))}
    </>
  );
}

const Foot = () => (
  <div class="navigation-foot">
    <button type="button" class="nav-item keys-button" onClick={openKeys}>
      <Icon name="keyboard" />
      <span>{keys.open}</span>
      <kbd>?</kbd>
    </button>
    <a class="nav-item" href="/docs">
      <Icon name="book" />
      <span>{texts.screens.reference}</span>
    </a>
    <ThemeChoice />
    <button type="button" class="nav-item" onClick={() => void signOut()}>
      <Icon name="out" />
      <span>{texts.signOut}</span>
    </button>
  </div>
);

const ThemeChoice = () => (
  <label class="nav-item theme">
    <Icon name="theme" />
    <span class="unseen">{texts.theme.label}</span>
    <select
      value={theme.value}
      onChange={({ currentTarget }) => {
        theme.value = THEMES.find((one) => one === currentTarget.value) ?? 'system';
      }}
    >
      {THEMES.map((one) => (
        <option key={one} value={one}>
          {texts.theme[one]}
        </option>
      ))}
    </select>
  </label>
);
