// What decides a run: its settings, the command that does it again, and its files.
import type { RunDetail } from '../../src/server/api.js';
import { ROUTES } from '../../src/server/api.js';
import { Card, CopyButton, Empty } from '../shared/controls.js';
import { DataTable } from '../shared/data-table.js';
import { shortNumber } from '../shared/format.js';
import { addressOf } from './connection.js';
import { flattenSettings } from './flatten-settings.js';

function Files({ summary, files }: RunDetail) {
  if (files.length === 0) return <Empty>There are none.</Empty>;
  return (
    <ul class="files">
      {files.map(({ name, bytes }) => (
        <li key={name}>
          <a class="file-link" href={addressOf(ROUTES.file(summary.id, name))} download={name}>
            {name}
            {bytes !== null && <small>{shortNumber(bytes)}B</small>}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function SettingsTab({ detail }: { readonly detail: RunDetail }) {
  const { config, command, version } = detail;
  return (
    <div class="columns">
      <div class="stack">
        <Card title="Do it again" actions={command !== null && <CopyButton text={command} label="Copy command" />}>
          {command === null ? (
            <Empty>The settings cannot be read.</Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            <pre class="listing" tabIndex={0}>
              {command}
            </pre>
          )}
          {version !== null && <p class="soft under">Made by evozero {version}.</p>}
        </Card>
        <Card title="Files">
          <Files {...detail} />
        </Card>
      </div>
      <Card title="Settings">
        {config === null ? (
          <Empty>They cannot be read.</Empty>
        ) : (
          <DataTable
            caption="Settings"
            rows={flattenSettings(config)}
            keyOf={({ path }) => path}
            textOf={({ path, value }) => `${path} ${value}`}
            columns={[
              { id: 'path', title: 'Setting', isHead: true, sortBy: ({ path }) => path, cell: ({ path }) => path },
              { id: 'value', title: 'Value', place: 'setting', cell: ({ value }) => value },
            ]}
          />
        )}
      </Card>
    </div>
  );
}
