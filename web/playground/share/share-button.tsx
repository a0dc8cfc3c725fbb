// A button that makes a link to what is on the page, puts it into the address bar and on the clipboard. Must not know what it holds.
import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.js';
import { routeTo } from '../../shared/route.js';
import { type Shared, writeLink } from './share-link.js';

export function ShareButton({ shared }: { readonly shared: () => Shared }) {
  const [link, setLink] = useState<{ readonly address: string; readonly isCopied: boolean } | undefined>(undefined);
  const share = async () => {
    const address = new URL(routeTo(['share', await writeLink(shared())]), location.href).href;
    const isCopied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    );
    setLink({ address, isCopied: isCopied ?? false });
  };
  return (
    <span class="share">
      <Button onClick={share}>Share</Button>
      {link !== undefined && (
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
