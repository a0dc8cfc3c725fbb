// What the dashboard refuses: strangers, other hosts, paths out of its directory, other sites' requests, and bodies that are too large.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunList } from '../../src/server/api.js';
import { compiled, evozero } from '../support/cli.js';
import { ask, askJson, control, startDashboard } from '../support/dashboard.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
const runs = join(folder, 'runs');
const SECRET = 'the secret that nobody must see';

beforeAll(() => {
  compiled('cli/main.js');
  mkdirSync(runs);
  const flags = ['--seed', '4', '--workers', '1', '--max-algorithms', '2000', '--out', join(runs, 'good'), '--json'];
  expect(evozero(['run', 'linear', ...flags]).status).toBe(0);
  // Beside the directory, and as links in it: a file, a folder, a whole run, and files of a run.
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  cpSync(join(runs, 'good'), join(folder, 'outside'), { recursive: true });
  writeFileSync(join(folder, 'outside', 'best.alg'), SECRET);
  symlinkSync(join(folder, 'secret.txt'), join(runs, 'link.txt'));
  symlinkSync(folder, join(runs, 'linked-folder'));
  symlinkSync(join(folder, 'outside'), join(runs, 'linked-run'));
  for (const file of ['events.jsonl', 'config.json', 'report.html']) {
    cpSync(join(runs, 'good'), join(runs, `linked-${file}`), {
      recursive: true,
      filter: (path) => !path.endsWith(file),
    });
    symlinkSync(join(folder, 'secret.txt'), join(runs, `linked-${file}`, file));
  }
}, 120_000);

describe('paths', () => {
  it('never lead out of the directory, whatever they look like', async () => {
    const dashboard = await startDashboard(runs);
    const list = await askJson<RunList>(dashboard, '/api/runs');
    const names = list.runs.map(({ name, status }) => [name, status]);
    expect(names).toEqual([
      ['good', 'finished'],
      ['linked-config.json', 'corrupt'],
      ['linked-events.jsonl', 'corrupt'],
      ['linked-report.html', 'corrupt'],
    ]);
    const ups = [
      '..',
      '%2e%2e',
      '.%2e',
      '%252e%252e',
      '..%2f',
      '..%5c',
      '..\\',
      '%c0%ae%c0%ae',
      '....//',
      '..;',
      '..%00',
    ];
    const starts = [
      '/',
      '//',
      '/assets/',
      '/playground/',
      '/api/',
      '/api/runs/',
      ...list.runs.flatMap(({ id }) => [`/api/runs/${id}/`, `/api/runs/${id}/files/`]),
    ];
    const targets = [
      'secret.txt',
      'link.txt',
      'outside/best.alg',
      'linked-run/best.alg',
      'linked-folder/secret.txt',
      'etc/passwd',
      'events.jsonl',
      'report.html',
      'lock',
      'checkpoint',
      'package.json',
    ];
    const path = fc
      .tuple(
        fc.constantFrom(...starts),
        fc.array(fc.constantFrom(...ups), { maxLength: 6 }),
        fc.constantFrom(...targets, `${folder}/secret.txt`),
        fc.constantFrom('', '%00', '%00.html', '?', '#', '/'),
      )
      .map(([start, steps, target, end]) => `${start}${steps.map((step) => `${step}/`).join('')}${target}${end}`);
    await fc.assert(
      fc.asyncProperty(path, async (asked) => {
        const { status, body } = await ask(dashboard, asked);
        const text = body.toString('latin1');
        expect(text).not.toContain(SECRET);
        expect(text).not.toContain('root:');
        // As addresses are read: `x/../report.html` is report.html, which may be seen.
        const { pathname } = new URL(`http://127.0.0.1${asked}`);
        const isOwn = /^\/api\/runs\/[\w-]+\/files\/(events\.jsonl|report\.html)$/.test(pathname);
        if (!isOwn)
          expect([asked, status]).toEqual([asked, expect.toSatisfy((code: number) => code >= 400 || code === 308)]);
      }),
      { numRuns: 1500 },
    );
  });

  it('name only files that a run has', async () => {
    const dashboard = await startDashboard(runs);
    const { runs: found } = await askJson<RunList>(dashboard, '/api/runs');
    const { id } = found.find(({ name }) => name === 'good')!;
    expect((await ask(dashboard, `/api/runs/${id}/files/best.alg`)).status).toBe(200);
    for (const name of ['checkpoint', 'lock', 'nothing', 'best.alg%00', '..%2fgood%2fbest.alg', 'BEST.ALG']) {
      expect([name, (await ask(dashboard, `/api/runs/${id}/files/${name}`)).status]).toEqual([name, 404]);
    }
  });
});

describe('strangers', () => {
  it('are not let in without the token, where other machines can reach the server', async () => {
    const dashboard = await startDashboard(runs, '--host', '0.0.0.0');
    const token = dashboard.token!;
    expect(dashboard.url).toContain(`?token=${token}`);
    for (const path of ['/', '/api/info', '/api/runs', '/api/stream', '/playground/', `/api/runs?token=${token}`]) {
      expect([path, (await ask(dashboard, path)).status]).toEqual([path, 401]);
    }
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), token.toUpperCase()]) {
      expect((await ask(dashboard, '/api/runs', { headers: { Authorization: `Bearer ${wrong}` } })).status).toBe(401);
      expect((await ask(dashboard, `/?token=${wrong}`)).status).toBe(401);
    }
    expect((await ask(dashboard, '/api/runs', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
    // A browser gets it as a cookie that no script and no other site can use, and its address forgets it.
    const entered = await ask(dashboard, `/?token=${token}&compare=x`);
    expect([entered.status, entered.headers.location]).toEqual([303, '/?compare=x']);
    const cookie = entered.headers['set-cookie']![0]!;
    expect(cookie).toMatch(/^evozero-[\da-f]{8}=[\w-]+;.*HttpOnly;.*SameSite=Strict/);
    const headers = { Cookie: cookie.split(';')[0]! };
    expect((await ask(dashboard, '/', { headers })).status).toBe(200);
    expect((await ask(dashboard, '/api/runs', { headers })).status).toBe(200);
  });

  it('cannot reach it at all unless it is told to listen to them', async () => {
    const { port, token } = await startDashboard(runs);
    expect(token).toBeUndefined();
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const own = others.find(({ internal, family }) => !internal && family === 'IPv4');
    // A machine without a network has no strangers.
    if (own === undefined) return;
    await expect(fetch(`http://${own.address}:${port}/api/info`)).rejects.toThrow('fetch failed');
  });

  it('cannot reach it by a name of their own', async () => {
    const dashboard = await startDashboard(runs, '--allow-control');
    for (const host of ['evil.example', `evil.example:${dashboard.port}`, 'localhost.evil.example', '0.0.0.0']) {
      for (const path of ['/', '/api/runs', '/api/stream'])
        expect((await ask(dashboard, path, { headers: { Host: host } })).status).toBe(403);
      const start = control({ config: {} });
      expect((await ask(dashboard, '/api/runs', { ...start, headers: { ...start.headers, Host: host } })).status).toBe(
        403,
      );
    }
    for (const host of ['localhost', `127.0.0.1:${dashboard.port}`, '[::1]:80'])
      expect((await ask(dashboard, '/api/runs', { headers: { Host: host } })).status).toBe(200);
  });
});

describe('answers', () => {
  it('tell a browser to trust nothing but the files of the page', async () => {
    const dashboard = await startDashboard(runs);
    for (const path of ['/', '/playground/', '/api/runs', '/nothing', '/api/nothing']) {
      const { headers } = await ask(dashboard, path);
      const policy = headers['content-security-policy'] as string;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/'unsafe-inline'|'unsafe-eval'|https?:|\*/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    for (const path of ['/', '/playground/']) {
      const page = (await ask(dashboard, path)).body.toString();
      expect(page).toContain('<script type="module"');
      expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:\/\//);
    }
  });

  it('that runs have made are saved, and never run', async () => {
    const dashboard = await startDashboard(runs);
    const { runs: found } = await askJson<RunList>(dashboard, '/api/runs');
    const { id } = found.find(({ name }) => name === 'good')!;
    for (const file of ['report.html', 'best.js', 'result.json']) {
      const { status, headers } = await ask(dashboard, `/api/runs/${id}/files/${file}`);
      expect(status).toBe(200);
      expect(headers['content-disposition']).toMatch(/^attachment; /);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*sandbox$/);
    }
  });

  it('are refused in one line of JSON that tells no path of this machine', async () => {
    const dashboard = await startDashboard(runs);
    for (const path of ['/api/runs/none', '/api/runs/none/files/x', '/api/series?runs=', '/api/nothing']) {
      const { body } = await ask(dashboard, path);
      expect(JSON.parse(body.toString())).toEqual({ error: expect.not.stringMatching(/[\n/]/) });
    }
  });
});

describe('changes', () => {
  const body = JSON.stringify({ config: { name: 'x' } });
  const json = { 'Content-Type': 'application/json' };
  const ours = { ...json, 'X-Evozero-Control': '1' };

  it('are refused unless they are allowed', async () => {
    const dashboard = await startDashboard(runs);
    const { runs: found } = await askJson<RunList>(dashboard, '/api/runs');
    for (const path of ['/api/runs', `/api/runs/${found[0]!.id}/stop`, `/api/runs/${found[0]!.id}/resume`]) {
      const { status, body: said } = await ask(dashboard, path, control({}));
      expect([status, said.toString()]).toEqual([403, expect.stringContaining('--allow-control')]);
    }
  });

  it('that other pages send are refused', async () => {
    const dashboard = await startDashboard(runs, '--allow-control');
    const cases: [string, Record<string, string>, number][] = [
      ['without our header', json, 403],
      ['with another value of it', { ...json, 'X-Evozero-Control': 'yes' }, 403],
      ['of another site', { ...ours, Origin: 'http://evil.example' }, 403],
      ['of another port', { ...ours, Origin: 'http://127.0.0.1:1' }, 403],
      ['of no site', { ...ours, Origin: 'null' }, 403],
      ['that a browser says are of another site', { ...ours, 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['as a form sends them', { ...ours, 'Content-Type': 'text/plain' }, 415],
    ];
    for (const [what, headers, expected] of cases) {
      const { status } = await ask(dashboard, '/api/runs', { method: 'POST', headers, body });
      expect([what, status]).toEqual([what, expected]);
    }
  });

  it('with bodies that are too large, or none, are refused', async () => {
    const dashboard = await startDashboard(runs, '--allow-control');
    const post = (text: string, headers: Record<string, string> = {}) =>
      ask(dashboard, '/api/runs', { method: 'POST', headers: { ...ours, ...headers }, body: text });
    const large = JSON.stringify({ config: { about: 'x'.repeat(300_000) } });
    expect((await post(large)).status).toBe(413);
    // Without a length, it is counted as it comes.
    expect((await post(large, { 'Transfer-Encoding': 'chunked' })).status).toBe(413);
    for (const text of ['', '{', '[]', 'null', '"x"']) expect([text, (await post(text)).status]).toEqual([text, 400]);
  });

  it('cannot name a file or a folder, and nothing that is sent is run', async () => {
    const dashboard = await startDashboard(runs, '--allow-control');
    const { presets } = await askJson<{ presets: { name: string; config: { space: object } }[] }>(
      dashboard,
      '/api/presets',
    );
    const { config } = presets.find(({ name }) => name === 'linear')!;
    const refused = async (request: unknown) => {
      const { status, body: said } = await ask(dashboard, '/api/runs', control(request));
      return [status, JSON.parse(said.toString()).error as string] as const;
    };
    for (const name of ['../x', '/tmp/x', 'a/b', '.', '', 'x'.repeat(65), '--out', 7]) {
      expect([name, ...(await refused({ config, name }))]).toEqual([name, 422, expect.stringContaining('name')]);
    }
    for (const workers of [0, -1, 1.5, '2; reboot', 1e9]) {
      expect((await refused({ config, workers }))[0]).toBe(422);
    }
    const base = (text: string) => ({ config: { ...config, space: { ...config.space, base: text } } });
    for (const text of [join(folder, 'secret.txt'), './x.alg', 'process.exit(1)', 'def Setup():\n  import os']) {
      const [status, error] = await refused(base(text));
      expect([text, status]).toEqual([text, 422]);
      expect(error).not.toContain(SECRET);
    }
    expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe(SECRET);
    expect((await askJson<RunList>(dashboard, '/api/runs')).runs).toHaveLength(4);
  });
});
