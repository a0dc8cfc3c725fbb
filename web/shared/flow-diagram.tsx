// The flow of data through a program, as `evozero explain` draws it, with the page's own colours. Must not know programs.
import { useId, useMemo } from 'preact/hooks';
import type { Graph } from '../../src/analysis/diagram/graph.js';
import { toSvg } from '../../src/analysis/diagram/svg.js';
import { count } from './format.js';

/** Without its own style, which would be that of the whole page, and with names that no other drawing has. */
function adapt(svg: string, prefix: string): string {
  return svg
    .replace(/<style>[^<]*<\/style>/, '')
    .replaceAll(/ id="([\w-]+)"/g, ` id="${prefix}$1"`)
    .replaceAll(/url\(#([\w-]+)\)/g, `url(#${prefix}$1)`)
    .replace('aria-labelledby="title description"', `aria-labelledby="${prefix}title ${prefix}description"`);
}

export function FlowDiagram({ graph }: { readonly graph: Graph }) {
  const prefix = useId().replaceAll(/\W/g, '-');
  const svg = useMemo(() => {
    const size = `${count(graph.nodes.length, 'value')} and ${count(graph.edges.length, 'connection')}`;
    return adapt(toSvg(graph, 'Flow of data', `The flow of data through the program: ${size}.`), prefix);
  }, [graph, prefix]);
  return (
    <section
      class="flow"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Flow of data"
      // Safe: toSvg escapes every text in it
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  );
}
