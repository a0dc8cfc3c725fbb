// The guided tour: one screen for each idea, with an address of its own, a demonstration by the real engine, and arrow keys to go on.
// Must not know what the demonstrations do.
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { goTo, routeTo } from '../../shared/route.js';
import { DiscoveryScreen } from './discovery-screen.js';
import { EvaluationScreen } from './evaluation-screen.js';
import { EvolutionScreen } from './evolution-screen.js';
import { FingerprintScreen } from './fingerprint-screen.js';
import { HurdleScreen } from './hurdle-screen.js';
import { MutationScreen } from './mutation-screen.js';
import { ProgramScreen } from './program-screen.js';

interface Screen {
  readonly name: string;
  readonly title: string;
  readonly Demo: ComponentType;
}

const SCREENS: readonly Screen[] = [
  { name: 'Program', title: 'An algorithm is three short programs', Demo: ProgramScreen },
  { name: 'Evaluation', title: 'It is judged by what it predicts after learning', Demo: EvaluationScreen },
  { name: 'Mutation', title: 'A mutation is a small random change', Demo: MutationScreen },
  { name: 'Evolution', title: 'The better ones have more descendants', Demo: EvolutionScreen },
  { name: 'Fingerprints', title: 'What is known need not be run again', Demo: FingerprintScreen },
  { name: 'Hurdles', title: 'Hopeless programs are given up early', Demo: HurdleScreen },
  { name: 'Discovery', title: 'What was discovered', Demo: DiscoveryScreen },
];

/** Where arrow keys have a meaning of their own. */
const OWN_ARROWS = 'input, textarea, select, [role="application"], [role="tablist"]';

/** Whether arrow keys scroll it to the side, or something around it. */
function scrollsSideways(element: Element): boolean {
  for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
    const isWider = at.scrollWidth > at.clientWidth;
    if (isWider && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  }
  return false;
}

function hasOwnArrows({ target }: Event): boolean {
  return target instanceof Element && (target.closest(OWN_ARROWS) !== null || scrollsSideways(target));
}

function useArrows(go: (by: number) => void): void {
  const latest = useRef(go);
  latest.current = go;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || hasOwnArrows(event)) return;
      if (event.key === 'ArrowRight') latest.current(1);
      if (event.key === 'ArrowLeft') latest.current(-1);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** From 1 on; anything else is the first. */
export function TourPage({ screen }: { readonly screen: number }) {
  const at = Number.isInteger(screen) && screen >= 1 && screen <= SCREENS.length ? screen : 1;
  const { title, Demo } = SCREENS[at - 1]!;
  const heading = useRef<HTMLHeadingElement>(null);
  const go = (by: number) => {
    const next = at + by;
    if (next < 1 || next > SCREENS.length) return;
    goTo(routeTo(['tour', String(next)]));
    heading.current?.focus();
  };
  useArrows(go);
  return (
    <div class="tour-page">
      <nav class="tour-steps" aria-label="Screens of the tour">
        <ol>
          {SCREENS.map(({ name }, k) => (
            <li key={name}>
              <a href={routeTo(['tour', String(k + 1)])} aria-current={k + 1 === at ? 'step' : undefined}>
                <span class="step-number">{k + 1}</span> <span class="step-name">{name}</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <Demo key={at} />
      <nav class="tour-next" aria-label="Next and previous screen">
        {at > 1 && (
          <a class="button plain" href={routeTo(['tour', String(at - 1)])} rel="prev">
            ← {SCREENS[at - 2]!.name}
          </a>
        )}
        <span class="grow soft">Arrow keys go on.</span>
        {at < SCREENS.length ? (
          <a class="button primary" href={routeTo(['tour', String(at + 1)])} rel="next">
            {SCREENS[at]!.name} →
          </a>
        ) : (
          <a class="button primary" href={routeTo(['search'])}>
            Search yourself →
          </a>
        )}
      </nav>
    </div>
  );
}
