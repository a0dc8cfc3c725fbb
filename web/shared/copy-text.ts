// Puts a text on the clipboard. Must not know what for.

/** Whether it is there now. Pages over plain http from another machine have no clipboard at all, and others may be forbidden to use it. */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return false;
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
