// Light or dark: as the system has it, or as somebody chose, remembered by the browser. Must not know colours.
import { computed, effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'evozero-theme';

function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    // A browser may forbid storage.
    return 'system';
  }
}

export const theme = signal<Theme>(readTheme());

const query = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(query.matches);
query.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches;
});

export const isDark = computed(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'));

effect(() => {
  if (theme.value === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset.theme = theme.value;
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // Then it lasts as long as the page.
  }
});

/** What a custom property of the style sheet is just now, for what is drawn on a canvas. */
export function readColor(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
