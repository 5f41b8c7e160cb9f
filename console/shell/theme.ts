import { effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEY = 'theme';
const stored = localStorage.getItem(KEY);

export const theme = signal<Theme>(THEMES.find((one) => one === stored) ?? 'system');

/** The colours follow `data-theme` (style/tokens.css); without it they follow the system. */
effect(() => {
  if (theme.value === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem(KEY, theme.value);
  }
});
