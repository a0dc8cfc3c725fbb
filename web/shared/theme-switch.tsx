// The switch between light, dark and what the system has.
import { Choice } from './controls.js';
import { THEMES, type Theme, theme } from './theme.js';

const TITLES: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' };

export function ThemeSwitch() {
  return (
    <Choice
      label="Colours"
      isLabelHidden
      options={THEMES.map((value) => ({ value, title: TITLES[value] }))}
      value={theme.value}
      onChange={(value) => {
        theme.value = value;
      }}
    />
  );
}
