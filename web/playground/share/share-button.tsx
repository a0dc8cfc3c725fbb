// A button that makes a link to what is on the page and puts it on the clipboard. Must not know what the link holds.
import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.js';
import { copyText } from '../../shared/copy-text.js';
import { routeTo } from '../../shared/route.js';
import { type Shared, writeLink } from './share-link.js';

interface Link {
  readonly address: string;
  /** What it is a link to: something else needs another one. */
  readonly content: string;
  readonly isCopied: boolean;
}

export function ShareButton({ shared }: { readonly shared: () => Shared }) {
  const [link, setLink] = useState<Link | undefined>(undefined);
  const now = shared();
  const content = JSON.stringify(now);
  const share = async () => {
    const address = new URL(routeTo(['share', await writeLink(now)]), location.href).href;
    setLink({ address, content, isCopied: await copyText(address) });
  };
  return (
    <span class="share">
      <Button onClick={share}>Share</Button>
      {link?.content === content && (
        <span class="share-link">
          <input
            type="text"
            readOnly
            aria-label="Link to this"
            value={link.address}
            onFocus={(event) => event.currentTarget.select()}
          />
          <span aria-live="polite">{link.isCopied ? 'Copied' : 'Copy this link'}</span>
        </span>
      )}
    </span>
  );
}
