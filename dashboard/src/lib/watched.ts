/** Call `again` whenever the size or the content of a box changes, and once all fonts are there; return what ends that. */
export function watched(box: HTMLElement, again: () => void): () => void {
  const sizes = new ResizeObserver(again);
  const content = new MutationObserver(again);
  sizes.observe(box);
  content.observe(box, { subtree: true, childList: true, characterData: true });
  void document.fonts.ready.then(again);
  return () => {
    sizes.disconnect();
    content.disconnect();
  };
}
