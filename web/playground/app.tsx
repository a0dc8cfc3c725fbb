// The frame of the page: where one can go, and the view of the address. Must not know what views do.
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../shared/controls.js';
import icon from '../shared/icon.svg';
import { goTo, route, routeTo } from '../shared/route.js';
import { ThemeSwitch } from '../shared/theme-switch.js';
import { DataPage } from './data/data-page.js';
import { ProgramPage } from './program/program-page.js';
import { openProgram } from './program/program-state.js';
import { SearchPage } from './search/search-page.js';
import { openConfig } from './search/search-settings.js';
import { clearSearch } from './search/search-state.js';
import { readLink } from './share/share-link.js';
import { TourPage } from './tour/tour-page.js';

const VIEWS = [
  { path: 'search', title: 'Search' },
  { path: 'program', title: 'Program' },
  { path: 'data', title: 'Your data' },
  { path: 'tour', title: 'Tour' },
] as const;

async function openLink(link: string): Promise<void> {
  const shared = await readLink(link);
  if (shared.kind === 'program') {
    openProgram(shared);
    goTo(routeTo(['program']), 'replace');
  } else {
    openConfig(shared.config);
    clearSearch();
    goTo(routeTo(['search']), 'replace');
  }
}

/** Opens what a link holds, or says why it cannot. */
function SharedLink({ link }: { readonly link: string }) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    setProblem(undefined);
    openLink(link).catch((error: Error) => setProblem(error.message));
  }, [link]);
  if (problem === undefined) return <p class="soft">Opening what was shared.</p>;
  return (
    <>
      <Notice tone="bad" isAlert>
        This link cannot be opened: {problem}
      </Notice>
      <p>
        <a href={routeTo(['search'])}>Go to the search</a>
      </p>
    </>
  );
}

function View({ path }: { readonly path: readonly string[] }) {
  const [view, part = ''] = path;
  if (view === 'program') return <ProgramPage />;
  if (view === 'data') return <DataPage />;
  if (view === 'tour') return <TourPage screen={Number(part)} />;
  if (view === 'share') return <SharedLink link={part} />;
  return <SearchPage />;
}

export function App() {
  const { path } = route.value;
  const view = VIEWS.find((each) => each.path === path[0]) ?? VIEWS[0];
  useEffect(() => {
    document.title = `${view.title} · evozero playground`;
  }, [view.title]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="top-bar">
        <a class="brand" href={routeTo(['search'])}>
          <img src={icon} alt="" /> evozero
        </a>
        <nav aria-label="Views">
          {VIEWS.map((each) => (
            <a key={each.path} href={routeTo([each.path])} aria-current={each === view ? 'page' : undefined}>
              {each.title}
            </a>
          ))}
        </nav>
        <span class="spacer" />
        <ThemeSwitch />
      </header>
      <main class="view" id="main" tabIndex={-1}>
        <View path={path} />
      </main>
    </>
  );
}
