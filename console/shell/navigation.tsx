import { Fragment } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import icon from '../icon.svg';
import { Icon } from '../parts/icon.tsx';
import { signOut } from '../session.ts';
import { texts } from '../texts.ts';
import { openPalette } from './palette.tsx';
import { SCREENS } from './screens.ts';
import { THEMES, theme } from './theme.ts';

const GROUPS = Object.entries(texts.groups).flatMap(([group, title]) => {
  const screens = SCREENS.filter((screen) => screen.group === group);
  return screens.length > 0 ? [{ group, title, screens }] : [];
});

/** A bar at the left; on a phone the screens are at the bottom. */
export function Navigation() {
  const [path] = useLocation();
  const [, first = ''] = path.split('/');
  const here = SCREENS.find((screen) => screen.path === `/${first}`);
  const isHere = (screen: string) => screen === (here?.under ?? here?.path);
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
      <nav aria-label={texts.screens.main}>
        {GROUPS.map(({ group, title, screens }) => (
          <Fragment key={group}>
            {title && <p class="nav-group">{title}</p>}
            {screens.map(({ path: screen, title: name, icon: drawing }) => (
              <Link key={screen} href={screen} class="nav-item" aria-current={isHere(screen) ? 'page' : undefined}>
                <Icon name={drawing} />
                <span>{name}</span>
              </Link>
            ))}
          </Fragment>
        ))}
      </nav>
      <div class="navigation-foot">
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
    </header>
  );
}

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
