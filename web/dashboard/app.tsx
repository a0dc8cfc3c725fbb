// The frame of the dashboard: the bar at the top, what the connection is, and the view that the address names.
import { useEffect, useRef } from 'preact/hooks';
import { Notice } from '../shared/controls.js';
import icon from '../shared/icon.svg';
import { route, routeTo } from '../shared/route.js';
import { ThemeSwitch } from '../shared/theme-switch.js';
import { connection } from './connection.js';
import { loadServerInfo, serverInfo } from './run-list.js';
import { RunView } from './run-view.js';
import { RunsView } from './runs-view.js';
import { StartView } from './start-view.js';

function View() {
  const [place, id] = route.value.path;
  if (place === 'runs' && id !== undefined) return <RunView key={id} id={id} />;
  if (place === 'new') return <StartView />;
  return <RunsView />;
}

function TopBar() {
  const place = route.value.path[0];
  const info = serverInfo.value;
  return (
    <header class="top-bar">
      <a class="brand" href={routeTo([])}>
        <img src={icon} alt="" />
        <span class="brand-name">evozero</span>
      </a>
      <nav aria-label="Views">
        <a href={routeTo([])} aria-current={place === undefined ? 'page' : undefined}>
          Runs
        </a>
        {info?.canControl && (
          <a href={routeTo(['new'])} aria-current={place === 'new' ? 'page' : undefined}>
            New search
          </a>
        )}
        <a href="./playground/">Playground</a>
      </nav>
      <span class="spacer" />
      {info !== undefined && (
        <span class="soft where" title={`evozero ${info.version}, Node ${info.node}, ${info.platform}`}>
          {info.directory}
        </span>
      )}
      <ThemeSwitch />
    </header>
  );
}

export function App() {
  useEffect(() => {
    const stop = new AbortController();
    loadServerInfo(stop.signal);
    return () => stop.abort();
  }, []);
  const content = useRef<HTMLElement>(null);
  return (
    <>
      <button type="button" class="skip" onClick={() => content.current?.focus()}>
        Skip to the content
      </button>
      <TopBar />
      {connection.value === 'lost' && (
        <div class="lost">
          <Notice tone="warn" isAlert>
            The server does not answer. What is here stays, and the page goes on as soon as the server is back.
          </Notice>
        </div>
      )}
      <main class="view" ref={content} tabIndex={-1}>
        <View />
      </main>
    </>
  );
}
